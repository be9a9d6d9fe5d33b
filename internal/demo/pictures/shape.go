package pictures

// This file: what a drawing is made of. Everything is a polygon with a tone; the
// colour of a tone is decided when it is painted.

import "math"

// tone says what a surface is.
type tone int

const (
	body tone = iota // the maker's colour
	bodyDark
	bodyLight
	trim // the maker's second colour
	dark
	darker
	steel
	steelLight
	tyre
	rim
	glass
	glassLight
	lamp
	warning
	white
	earth
	wood
	leaf
	shade // falls on the ground
	tones
)

type pt struct{ x, y float64 }

// shape is a filled polygon.
type shape struct {
	tone   tone
	points []pt
}

// frame is a part of the picture that is looked at closely.
type frame struct{ x, y, width float64 }

// machine is a drawing on a field of 320 by 200 with the ground at 168, seen from its
// right side.
type machine struct {
	shapes []shape
	tool   frame // its working end
	place  frame // where one sits, or what drives it
	scale  float64
	dx, dy float64
}

// ground is where wheels and tracks stand.
const ground = 168

func newMachine() *machine {
	return &machine{scale: 1, tool: frame{200, 60, 120}, place: frame{60, 70, 120}}
}

// sized draws what follows smaller or larger, standing on the same ground.
func (m *machine) sized(scale float64) {
	m.scale, m.dx, m.dy = scale, 160-160*scale, ground-ground*scale
}

func (m *machine) at(x, y float64) pt { return pt{m.dx + x*m.scale, m.dy + y*m.scale} }

func (m *machine) look(tool, place frame) {
	at := func(f frame) frame {
		p := m.at(f.x, f.y)
		return frame{p.x, p.y, f.width * m.scale}
	}
	m.tool, m.place = at(tool), at(place)
}

func (m *machine) poly(t tone, xy ...float64) {
	points := make([]pt, 0, len(xy)/2)
	for i := 0; i+1 < len(xy); i += 2 {
		points = append(points, m.at(xy[i], xy[i+1]))
	}
	m.shapes = append(m.shapes, shape{t, points})
}

// box is a rectangle with round corners.
func (m *machine) box(t tone, x, y, w, h, r float64) {
	r = min(r, w/2, h/2)
	var xy []float64
	for corner, c := range [4]pt{{x + w - r, y + r}, {x + w - r, y + h - r}, {x + r, y + h - r}, {x + r, y + r}} {
		for i := range 7 {
			a := float64(corner-1)*math.Pi/2 + float64(i)*math.Pi/12
			xy = append(xy, c.x+r*math.Cos(a), c.y+r*math.Sin(a))
		}
	}
	m.poly(t, xy...)
}

// panel is a box with light from above.
func (m *machine) panel(t tone, x, y, w, h, r float64) {
	m.box(t, x, y, w, h, r)
	if t == body {
		m.box(bodyLight, x+1.5, y+1.5, w-3, min(4, h/4), r)
		m.box(bodyDark, x+1, y+h-min(5, h/4), w-2, min(5, h/4), r)
	}
}

func (m *machine) disc(t tone, x, y, r float64) {
	var xy []float64
	for i := range 36 {
		a := float64(i) * math.Pi / 18
		xy = append(xy, x+r*math.Cos(a), y+r*math.Sin(a))
	}
	m.poly(t, xy...)
}

// line is a stroke with round ends.
func (m *machine) line(t tone, width float64, xy ...float64) {
	for i := 0; i+3 < len(xy); i += 2 {
		m.beam(t, width, width, xy[i], xy[i+1], xy[i+2], xy[i+3])
	}
}

// beam is a stroke that becomes narrower or wider.
func (m *machine) beam(t tone, w0, w1, x0, y0, x1, y1 float64) {
	length := math.Hypot(x1-x0, y1-y0)
	if length == 0 {
		return
	}
	nx, ny := -(y1-y0)/length, (x1-x0)/length
	var xy []float64
	end := func(x, y, r, from float64) {
		for i := range 9 {
			a := from + float64(i)*math.Pi/8
			xy = append(xy, x+r*math.Cos(a), y+r*math.Sin(a))
		}
	}
	a := math.Atan2(ny, nx)
	end(x0, y0, w0/2, a)
	end(x1, y1, w1/2, a+math.Pi)
	m.poly(t, xy...)
}

// arm is a beam with light on it and a pin at both ends.
func (m *machine) arm(w0, w1, x0, y0, x1, y1 float64) {
	m.beam(body, w0, w1, x0, y0, x1, y1)
	m.beam(bodyLight, w0/5, w1/5, x0, y0-w0/4, x1, y1-w1/4)
	m.disc(dark, x0, y0, w0/4)
	m.disc(dark, x1, y1, w1/3)
}

// ram is a hydraulic cylinder.
func (m *machine) ram(x0, y0, x1, y1 float64) {
	m.line(steelLight, 2.4, x0, y0, x1, y1)
	m.line(dark, 5, x0, y0, x0+(x1-x0)*.58, y0+(y1-y0)*.58)
}

// lattice is a truss between two points.
func (m *machine) lattice(t tone, x0, y0, x1, y1, width float64) {
	length := math.Hypot(x1-x0, y1-y0)
	nx, ny := -(y1-y0)/length*width/2, (x1-x0)/length*width/2
	m.line(t, 1.8, x0+nx, y0+ny, x1+nx, y1+ny)
	m.line(t, 1.8, x0-nx, y0-ny, x1-nx, y1-ny)
	steps := int(length/width + .5)
	for i := range steps {
		a, b := float64(i)/float64(steps), float64(i+1)/float64(steps)
		s := 1.0
		if i%2 == 1 {
			s = -1
		}
		m.line(t, 1.1, x0+(x1-x0)*a+nx*s, y0+(y1-y0)*a+ny*s, x0+(x1-x0)*b-nx*s, y0+(y1-y0)*b-ny*s)
	}
}

func (m *machine) wheel(x, y, r float64) {
	m.disc(tyre, x, y, r)
	m.disc(darker, x, y, r*.66)
	m.disc(rim, x, y, r*.56)
	m.disc(steel, x, y, r*.3)
	for i := range 6 {
		a := float64(i) * math.Pi / 3
		m.disc(darker, x+r*.42*math.Cos(a), y+r*.42*math.Sin(a), r*.06)
	}
	m.disc(darker, x, y, r*.12)
}

// lugged is a wheel for soft ground.
func (m *machine) lugged(x, y, r float64) {
	for i := range 22 {
		a := float64(i) * math.Pi / 11
		m.line(tyre, r*.14, x+r*.8*math.Cos(a), y+r*.8*math.Sin(a), x+r*1.02*math.Cos(a+.12), y+r*1.02*math.Sin(a+.12))
	}
	m.wheel(x, y, r*.95)
}

// track is a crawler that stands on the ground.
func (m *machine) track(x0, x1, h float64) {
	y := ground - h
	m.box(tyre, x0, y, x1-x0, h, h/2)
	for x := x0 + h/2; x < x1-h/2; x += 5 {
		m.box(darker, x, y-.8, 2.2, 2, .4)
		m.box(darker, x, ground-1.4, 2.2, 2, .4)
	}
	m.box(dark, x0+3.5, y+3.5, x1-x0-7, h-7, h/2)
	m.disc(steel, x0+h/2, y+h/2, h*.3)
	m.disc(steel, x1-h/2, y+h/2, h*.3)
	m.disc(darker, x0+h/2, y+h/2, h*.12)
	m.disc(darker, x1-h/2, y+h/2, h*.12)
	for x := x0 + h*1.15; x < x1-h*1.05; x += h * .5 {
		m.disc(steel, x, ground-h*.27, h*.15)
	}
	m.box(body, x0+h, y+h*.26, x1-x0-2*h, h*.16, 1)
}

// cab is a place to sit, with a window to the right.
func (m *machine) cab(x, y, w, h float64) {
	m.poly(body, x, y+4, x+3, y, x+w*.74, y, x+w, y+h*.52, x+w, y+h, x, y+h)
	m.poly(glass, x+w*.14, y+h*.12, x+w*.7, y+h*.12, x+w*.9, y+h*.52, x+w*.9, y+h*.62, x+w*.14, y+h*.62)
	m.poly(glassLight, x+w*.2, y+h*.16, x+w*.4, y+h*.16, x+w*.26, y+h*.58, x+w*.2, y+h*.58)
	m.box(dark, x+w*.5, y+h*.12, w*.05, h*.82, 0)
	m.box(bodyDark, x+w*.14, y+h*.68, w*.34, h*.24, 1)
	m.box(dark, x-1, y-2.5, w*.8, 4, 2)
	m.disc(lamp, x+w*.72, y-1, 1.8)
}

// vents are the slots of an engine's cover.
func (m *machine) vents(x, y, w, h float64) {
	m.box(darker, x, y, w, h, 1.5)
	for i := range int(h / 3) {
		m.box(dark, x+1.5, y+1+float64(i)*3, w-3, 1.4, .5)
	}
}

// stack is an exhaust.
func (m *machine) stack(x, y, h float64) {
	m.box(darker, x, y, 3.4, h, 1)
	m.box(steel, x-.4, y+h*.3, 4.2, h*.45, 1)
}

// rail is a guard around a platform.
func (m *machine) rail(x, y, w, h float64) {
	m.line(steel, 1.6, x, y, x+w, y)
	m.line(steel, 1.2, x, y+h/2, x+w, y+h/2)
	for i := range 4 {
		m.line(steel, 1.6, x+w*float64(i)/3, y, x+w*float64(i)/3, y+h)
	}
}

// hook hangs on a rope.
func (m *machine) hook(x, y0, y1 float64) {
	m.line(darker, 1, x-1.5, y0, x-1.5, y1)
	m.line(darker, 1, x+1.5, y0, x+1.5, y1)
	m.box(warning, x-4, y1, 8, 9, 2)
	m.line(darker, 2, x, y1+9, x, y1+13, x+3, y1+16, x, y1+18, x-3, y1+16)
}

// leg is an outrigger that stands on the ground.
func (m *machine) leg(x, y float64) {
	m.box(steel, x-2.5, y, 5, ground-y-2, 1)
	m.box(darker, x-6, ground-3, 12, 3, 1)
}
