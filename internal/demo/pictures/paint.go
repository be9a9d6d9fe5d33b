package pictures

// This file: from polygons to pixels.

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"
)

// the field that machines are drawn on
const fieldWidth, fieldHeight = 320.0, 200.0

// canvas shows a part of the field.
type canvas struct {
	picture *image.RGBA
	zoom    float64 // pixels for each unit
	x, y    float64 // of the field, at the upper left corner
	mirror  bool
}

// newCanvas shows width units of the field from x, y on.
func newCanvas(pixels int, f frame, mirror bool) *canvas {
	height := int(float64(pixels)*fieldHeight/fieldWidth + .5)
	return &canvas{picture: image.NewRGBA(image.Rect(0, 0, pixels, height)), zoom: float64(pixels) / f.width, x: f.x, y: f.y, mirror: mirror}
}

func (c *canvas) pixel(p pt) (x, y float32) {
	fx := (p.x - c.x) * c.zoom
	if c.mirror {
		fx = float64(c.picture.Rect.Dx()) - fx
	}
	return float32(fx), float32((p.y - c.y) * c.zoom)
}

// fill paints a polygon; only the pixels around it are looked at.
func (c *canvas) fill(points []pt, paint color.NRGBA) {
	if len(points) < 3 {
		return
	}
	minX, minY, maxX, maxY := float32(math.MaxFloat32), float32(math.MaxFloat32), float32(-math.MaxFloat32), float32(-math.MaxFloat32)
	for _, p := range points {
		x, y := c.pixel(p)
		minX, minY, maxX, maxY = min(minX, x), min(minY, y), max(maxX, x), max(maxY, y)
	}
	around := image.Rect(int(minX)-1, int(minY)-1, int(maxX)+2, int(maxY)+2).Intersect(c.picture.Rect)
	if around.Empty() {
		return
	}
	r := vector.NewRasterizer(around.Dx(), around.Dy())
	for i, p := range points {
		x, y := c.pixel(p)
		x, y = x-float32(around.Min.X), y-float32(around.Min.Y)
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(c.picture, around, image.NewUniform(paint), image.Point{})
}

// outline draws the edges of a polygon, width in units of the field.
func (c *canvas) outline(points []pt, width float64, paint color.NRGBA) {
	m := &machine{scale: 1}
	for i, p := range points {
		next := points[(i+1)%len(points)]
		m.line(dark, width, p.x, p.y, next.x, next.y)
	}
	for _, s := range m.shapes {
		c.fill(s.points, paint)
	}
}

// gradient fills everything from y0 on, with one colour turning into another by y1.
// Each band goes down to the end, so that edges blend with the next colour.
func (c *canvas) gradient(y0, y1 float64, from, to color.NRGBA) {
	const bands = 48
	for i := range bands {
		c.rect(-200, y0+(y1-y0)*float64(i)/bands, 720, 600, mix(from, to, float64(i)/(bands-1)))
	}
}

func mix(a, b color.NRGBA, share float64) color.NRGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a)*(1-share) + float64(b)*share) }
	return color.NRGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), part(a.A, b.A)}
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255} //nolint:gosec // the lower byte is meant
}

// palette gives the tones their colours.
func palette(main, second uint32) [tones]color.NRGBA {
	black, light := rgb(0x101418), rgb(0xffffff)
	p := [tones]color.NRGBA{
		body: rgb(main), trim: rgb(second), dark: rgb(0x3a4046), darker: rgb(0x23282c), steel: rgb(0x8d969d), steelLight: rgb(0xcfd6da),
		tyre: rgb(0x2b2e31), rim: rgb(second), glass: rgb(0x7fa6b8), glassLight: rgb(0xb9d5df), lamp: rgb(0xffe9a8), warning: rgb(0xf0871f),
		white: rgb(0xf3f3ee), earth: rgb(0x8a6742), wood: rgb(0xb08552), leaf: rgb(0x5f8a45), shade: {0, 0, 0, 60},
	}
	p[bodyDark], p[bodyLight] = mix(p[body], black, .24), mix(p[body], light, .34)
	return p
}

func (c *canvas) paint(m *machine, colours [tones]color.NRGBA) {
	for _, s := range m.shapes {
		c.fill(s.points, colours[s.tone])
	}
}
