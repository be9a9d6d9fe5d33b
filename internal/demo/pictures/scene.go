package pictures

// This file: where a machine stands.

import (
	"image/color"
	"math"
	"math/rand/v2"
)

// scene draws surroundings, a little different for each seed.
type scene func(c *canvas, r *rand.Rand)

// daylight is the sky at an hour: above, at the horizon, and what far things fade into.
type daylight struct{ high, low, far color.NRGBA }

var hours = []daylight{
	{rgb(0x8fbbd6), rgb(0xe4eef0), rgb(0xb9cdd4)},
	{rgb(0x9fc3da), rgb(0xf3ecdd), rgb(0xc7ccc6)},
	{rgb(0xb0c4cf), rgb(0xeef0ee), rgb(0xc3ced2)},
	{rgb(0x8aa9c9), rgb(0xf6e3cd), rgb(0xccbfb6)},
}

func (c *canvas) sky(r *rand.Rand) daylight {
	hour := hours[r.IntN(len(hours))]
	c.gradient(-60, 140, hour.high, hour.low)
	for range 3 {
		x, y, w := r.Float64()*320, 8+r.Float64()*50, 26+r.Float64()*30
		cloud := &machine{scale: 1}
		cloud.box(white, x, y, w, 7, 4)
		cloud.box(white, x+w*.2, y-5, w*.5, 9, 5)
		for _, s := range cloud.shapes {
			c.fill(s.points, color.NRGBA{255, 255, 255, 90})
		}
	}
	return hour
}

// hills are a line of soft heights whose highest is at top.
func (c *canvas) hills(r *rand.Rand, top float64, paint color.NRGBA) {
	points := []pt{{-200, 220}}
	a, b := r.Float64()*6, r.Float64()*6
	for x := -200.0; x <= 520; x += 6 {
		points = append(points, pt{x, top + 9 + 6*math.Sin(x/47+a) + 3*math.Sin(x/19+b)})
	}
	c.fill(append(points, pt{520, 220}), paint)
}

func (c *canvas) floor(y float64, near, far color.NRGBA) {
	c.gradient(y, 204, far, near)
}

func (c *canvas) rect(x, y, w, h float64, paint color.NRGBA) {
	c.fill([]pt{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, paint)
}

// bits are stones, straws or crumbs on the ground.
func (c *canvas) bits(r *rand.Rand, n int, paint color.NRGBA) {
	for range n {
		x, y, w := r.Float64()*720-200, 172+r.Float64()*26, 1+r.Float64()*4
		c.rect(x, y, w, .8+r.Float64(), paint)
	}
}

func (c *canvas) tree(x, base, h float64, pine bool, paint color.NRGBA) {
	c.rect(x-h*.04, base-h*.4, h*.08, h*.4, mix(paint, rgb(0x4a3826), .7))
	m := &machine{scale: 1}
	if pine {
		for i := range 4 {
			y, w := base-h+float64(i)*h*.19, h*(.13+float64(i)*.07)
			m.poly(leaf, x, y, x+w, y+h*.3, x-w, y+h*.3)
		}
	} else {
		m.disc(leaf, x, base-h*.66, h*.27)
		m.disc(leaf, x-h*.17, base-h*.5, h*.2)
		m.disc(leaf, x+h*.18, base-h*.5, h*.21)
	}
	for _, s := range m.shapes {
		c.fill(s.points, paint)
	}
}

func quarry(c *canvas, r *rand.Rand) {
	hour := c.sky(r)
	c.hills(r, 96, hour.far)
	for i := range 3 {
		y := 104 + float64(i)*14
		paint := mix(rgb(0xd9c3a0), rgb(0xb59468), float64(i)/2)
		points := []pt{{-200, 220}}
		for x := -200.0; x <= 520; x += 24 {
			points = append(points, pt{x, y + r.Float64()*5}, pt{x + 18, y + r.Float64()*5})
		}
		c.fill(append(points, pt{520, 220}), paint)
	}
	c.floor(150, rgb(0xa98a60), rgb(0xc6aa7e))
	c.bits(r, 70, rgb(0x93764f))
}

func yard(c *canvas, r *rand.Rand) {
	hour := c.sky(r)
	c.hills(r, 104, mix(hour.far, rgb(0x6f8f63), .35))
	x := r.Float64()*60 - 10
	c.rect(x, 84, 150, 66, mix(hour.far, rgb(0x8d979c), .6))
	for i := range 15 {
		c.rect(x+float64(i)*10, 88, 1, 62, mix(hour.far, rgb(0x7a858b), .7))
	}
	c.fill([]pt{{x - 4, 84}, {x + 75, 68}, {x + 154, 84}}, mix(hour.far, rgb(0x6d7880), .7))
	c.rect(x+50, 110, 46, 40, mix(hour.far, rgb(0x5a646b), .7))
	for i := range 16 {
		c.rect(-200+float64(i)*46, 128, 2, 26, rgb(0x8b9397))
	}
	c.rect(-200, 130, 720, 1, rgb(0x8b9397))
	c.rect(-200, 140, 720, 1, rgb(0x8b9397))
	c.floor(152, rgb(0xa3a49f), rgb(0xc0c1bb))
	c.bits(r, 40, rgb(0x8e8f8a))
}

func road(c *canvas, r *rand.Rand) {
	hour := c.sky(r)
	c.hills(r, 100, hour.far)
	c.hills(r, 116, mix(hour.far, rgb(0x7f9c66), .55))
	for range 7 {
		c.tree(r.Float64()*520-100, 146, 22+r.Float64()*16, false, mix(hour.far, rgb(0x557a4a), .75))
	}
	c.rect(-200, 142, 720, 10, rgb(0x93a672))
	c.floor(150, rgb(0x5d6164), rgb(0x787c7e))
	for i := range 10 {
		c.rect(-180+float64(i)*74, 184, 38, 3, rgb(0xe9e6d8))
	}
	c.bits(r, 30, rgb(0x54585a))
}

func field(c *canvas, r *rand.Rand) {
	hour := c.sky(r)
	c.hills(r, 104, hour.far)
	c.hills(r, 120, mix(hour.far, rgb(0x84a05c), .6))
	for range 5 {
		c.tree(r.Float64()*520-100, 140, 16+r.Float64()*12, false, mix(hour.far, rgb(0x55773f), .7))
	}
	near, far := rgb(0xc2a24f), rgb(0xdcc47c)
	if r.IntN(2) == 0 {
		near, far = rgb(0x7f9a49), rgb(0xa9bd74)
	}
	c.floor(140, near, far)
	for i := range 8 {
		y := 144 + float64(i*i)
		c.rect(-200, y, 720, .8, mix(near, rgb(0x5a4a2a), .25))
	}
	c.bits(r, 90, mix(near, rgb(0x4a3a1a), .35))
}

func forest(c *canvas, r *rand.Rand) {
	hour := c.sky(r)
	for layer := range 3 {
		paint := mix(hour.far, rgb(0x37583b), .35+float64(layer)*.25)
		for i := range 26 {
			c.tree(-160+float64(i)*20+r.Float64()*12, 142+float64(layer)*5, 58-float64(layer)*8+r.Float64()*24, true, paint)
		}
	}
	c.floor(146, rgb(0x6b6a3c), rgb(0x8b8d54))
	c.bits(r, 90, rgb(0x57532f))
}

func city(c *canvas, r *rand.Rand) {
	hour := c.sky(r)
	for layer := range 2 {
		for x := -160.0; x < 480; {
			w, h := 24+r.Float64()*26, 30+r.Float64()*44-float64(layer)*18
			paint := mix(hour.far, rgb(0x7d8a93), .2+float64(layer)*.3)
			c.rect(x, 152-h, w, h, paint)
			for wy := 152 - h + 5; wy < 146; wy += 8 {
				for wx := x + 4; wx < x+w-5; wx += 8 {
					c.rect(wx, wy, 3.4, 4, mix(paint, rgb(0xffffff), .3))
				}
			}
			x += w + 2 + r.Float64()*10
		}
	}
	// a house that is being built
	x := 120 + r.Float64()*120
	for i := range 4 {
		c.rect(x, 92+float64(i)*15, 96, 3, rgb(0xb3aca0))
	}
	for i := range 5 {
		c.rect(x+float64(i)*23, 92, 3.4, 60, rgb(0xa9a296))
	}
	c.floor(150, rgb(0x9c958a), rgb(0xbdb6aa))
	for i := range 20 {
		c.rect(-200+float64(i)*36, 140, 2, 14, rgb(0xd08a3c))
	}
	c.rect(-200, 143, 720, 2, rgb(0xd9a35c))
	c.bits(r, 60, rgb(0x877f73))
}

func water(c *canvas, r *rand.Rand) {
	hour := c.sky(r)
	c.hills(r, 104, hour.far)
	for range 9 {
		c.tree(r.Float64()*560-120, 142, 24+r.Float64()*14, false, mix(hour.far, rgb(0x55774f), .65))
	}
	c.floor(140, rgb(0x6f97a6), rgb(0xa9c4cb))
	for range 18 {
		c.rect(r.Float64()*620-150, 144+r.Float64()*16, 14+r.Float64()*20, .8, rgb(0xd5e4e6))
	}
	c.fill([]pt{{-200, 162}, {60, 158}, {240, 164}, {330, 172}, {520, 180}, {520, 220}, {-200, 220}}, rgb(0x8d8456))
	c.fill([]pt{{-200, 167}, {60, 164}, {240, 170}, {520, 190}, {520, 220}, {-200, 220}}, rgb(0x7a7148))
	c.bits(r, 50, rgb(0x655d39))
}

func hall(c *canvas, r *rand.Rand) {
	c.gradient(-60, 152, rgb(0xd5d7d4), rgb(0xe9eae6))
	for i := range 12 {
		c.rect(-180+float64(i)*60, -60, 4, 214, rgb(0xb4b8b8))
	}
	shift := r.Float64() * 40
	for row := range 3 {
		y := 34 + float64(row)*40
		c.rect(-200, y+28, 720, 4, rgb(0xd08a3c))
		for x := -200 + shift; x < 520; x += 34 {
			if r.IntN(5) == 0 {
				continue
			}
			h := 16 + r.Float64()*11
			c.rect(x, y+28-h, 28, h, mix(rgb(0xc3a77e), rgb(0x9aa9b3), r.Float64()))
		}
	}
	for i := range 14 {
		c.rect(-200+float64(i)*52, 26, 3, 128, rgb(0x4f6f8f))
	}
	c.floor(152, rgb(0xa9aca9), rgb(0xc9cbc7))
	c.rect(-200, 182, 720, 2.4, rgb(0xe6c14a))
}

func night(c *canvas, r *rand.Rand) {
	c.gradient(-60, 150, rgb(0x1c2a44), rgb(0x50607c))
	for range 40 {
		c.rect(r.Float64()*620-150, r.Float64()*80-20, .9, .9, rgb(0xdfe6f0))
	}
	c.hills(r, 112, rgb(0x2c3850))
	c.floor(150, rgb(0x6d6a60), rgb(0x54566a))
	for i := range 7 {
		w := 40 + float64(i)*16
		c.fill([]pt{{160 - w*.2, -2}, {184 + w*.2, -2}, {172 + w*2, 170}, {172 - w*2, 170}}, color.NRGBA{255, 240, 190, 14})
	}
	c.bits(r, 40, rgb(0x45454a))
}
