package pictures

// This file: machines that lift loads and people.

// carrier is a crane's own truck with its cab to the right.
func (m *machine) carrier(axles []float64) {
	m.box(dark, 30, 128, 262, 12, 3)
	m.panel(body, 34, 116, 214, 14, 3)
	m.box(trim, 34, 124, 214, 4, 0)
	m.poly(body, 250, 92, 282, 92, 296, 114, 296, 140, 250, 140)
	m.poly(glass, 256, 97, 280, 97, 291, 114, 291, 118, 256, 118)
	m.poly(glassLight, 259, 99, 268, 99, 263, 116, 259, 116)
	m.disc(lamp, 292, 130, 3)
	for _, x := range axles {
		m.wheel(x, 150, 18)
	}
}

func mobileCrane(axles ...float64) func(*machine) {
	return func(m *machine) {
		m.carrier(axles)
		m.leg(44, 128)
		m.leg(226, 128)
		m.box(darker, 92, 108, 46, 10, 2)
		m.panel(body, 56, 84, 66, 28, 4)
		m.box(trim, 50, 88, 14, 22, 2)
		m.cab(122, 82, 28, 32)
		m.beam(body, 18, 15, 84, 84, 180, 40)
		m.beam(bodyLight, 4, 3, 84, 80, 180, 36)
		m.beam(trim, 13, 11, 176, 42, 236, 16)
		m.beam(body, 9, 8, 232, 18, 274, 0)
		m.ram(118, 102, 156, 58)
		m.line(dark, 4, 272, -4, 284, 2)
		m.hook(282, 2, 58)
		m.look(frame{196, 2, 110}, frame{40, 70, 120})
	}
}

func roughTerrainCrane(m *machine) {
	m.box(dark, 70, 122, 180, 14, 3)
	m.panel(body, 62, 108, 196, 18, 4)
	m.leg(58, 122)
	m.leg(262, 122)
	m.panel(body, 60, 78, 84, 32, 4)
	m.vents(68, 86, 28, 18)
	m.cab(146, 70, 36, 40)
	m.beam(body, 18, 14, 84, 78, 196, 34)
	m.beam(bodyLight, 4, 3, 84, 74, 196, 30)
	m.beam(trim, 12, 10, 190, 36, 266, 6)
	m.ram(126, 98, 168, 50)
	m.hook(272, 4, 62)
	m.wheel(104, 142, 26)
	m.wheel(216, 142, 26)
	m.look(frame{190, 2, 110}, frame{56, 56, 130})
}

func crawlerCrane(m *machine) {
	m.track(44, 176, 28)
	m.box(darker, 88, 130, 46, 12, 2)
	m.panel(body, 40, 100, 104, 34, 4)
	m.box(trim, 28, 96, 22, 38, 3)
	m.vents(60, 106, 30, 20)
	m.cab(138, 88, 32, 46)
	m.lattice(body, 148, 116, 270, 8, 11)
	m.lattice(steel, 96, 100, 74, 44, 7)
	m.line(darker, 1.2, 74, 44, 270, 8)
	m.line(darker, 1.2, 74, 44, 44, 100)
	m.hook(276, 8, 84)
	m.look(frame{206, 2, 110}, frame{30, 74, 130})
}

func spiderCrane(m *machine) {
	m.sized(.86)
	m.track(124, 196, 20)
	for _, x := range []float64{70, 104, 216, 252} {
		m.line(body, 8, 160, 132, x, 142)
		m.leg(x, 140)
	}
	m.panel(body, 118, 110, 84, 34, 5)
	m.vents(126, 118, 24, 16)
	m.box(dark, 148, 98, 24, 14, 3)
	m.beam(body, 14, 11, 160, 100, 214, 36)
	m.beam(trim, 10, 8, 212, 38, 250, -6)
	m.beam(body, 7, 6, 248, -4, 262, -20)
	m.ram(166, 108, 190, 70)
	m.hook(268, -18, 66)
	m.look(frame{190, -6, 110}, frame{90, 90, 140})
}

func towerCrane(m *machine) {
	m.box(steel, 60, 158, 60, 10, 1)
	m.lattice(body, 90, 160, 90, 44, 14)
	m.box(dark, 80, 38, 20, 8, 2)
	m.cab(100, 40, 18, 20)
	m.lattice(body, 90, 38, 90, 10, 8)
	m.lattice(body, 96, 34, 306, 34, 8)
	m.lattice(body, 84, 34, 32, 34, 8)
	m.box(trim, 26, 36, 20, 26, 1)
	m.line(darker, 1.2, 90, 10, 220, 32)
	m.line(darker, 1.2, 90, 10, 36, 32)
	m.box(warning, 226, 38, 16, 5, 1)
	m.hook(234, 42, 96)
	m.box(wood, 214, 114, 40, 8, 1)
	m.line(darker, .8, 234, 112, 216, 116)
	m.line(darker, .8, 234, 112, 252, 116)
	m.look(frame{196, 16, 120}, frame{60, 2, 110})
}

func luffingCrane(m *machine) {
	m.box(steel, 92, 158, 60, 10, 1)
	m.lattice(body, 122, 160, 122, 84, 14)
	m.box(dark, 112, 78, 20, 8, 2)
	m.panel(body, 74, 64, 52, 16, 2)
	m.box(trim, 66, 66, 20, 24, 1)
	m.cab(132, 62, 18, 20)
	m.lattice(body, 130, 72, 254, 4, 8)
	m.lattice(steel, 108, 64, 100, 24, 7)
	m.line(darker, 1.2, 100, 24, 250, 4)
	m.line(darker, 1.2, 100, 24, 76, 64)
	m.hook(256, 6, 86)
	m.look(frame{190, 0, 110}, frame{56, 36, 120})
}

func selfErectingCrane(m *machine) {
	m.box(dark, 56, 144, 84, 10, 2)
	m.leg(52, 146)
	m.leg(146, 146)
	m.box(trim, 58, 122, 34, 24, 2)
	m.lattice(body, 106, 146, 106, 46, 10)
	m.lattice(body, 106, 42, 290, 30, 7)
	m.line(darker, 1.2, 106, 24, 230, 34)
	m.line(darker, 1.2, 106, 24, 64, 124)
	m.lattice(body, 106, 44, 106, 24, 6)
	m.box(warning, 214, 38, 14, 5, 1)
	m.hook(221, 42, 92)
	m.look(frame{180, 16, 120}, frame{40, 84, 130})
}

func pipelayer(m *machine) {
	m.track(54, 210, 34)
	m.panel(body, 150, 98, 56, 40, 5)
	m.vents(162, 106, 28, 20)
	m.stack(174, 80, 20)
	m.cab(104, 68, 48, 66)
	m.box(trim, 40, 100, 34, 36, 3)
	m.line(body, 7, 120, 146, 258, 30)
	m.line(body, 5, 170, 148, 258, 30)
	m.line(darker, 1.2, 90, 96, 258, 30)
	m.hook(260, 32, 78)
	m.disc(steel, 260, 116, 22)
	m.disc(darker, 260, 116, 16)
	m.line(darker, 2, 240, 108, 260, 96, 280, 108)
	m.look(frame{206, 20, 110}, frame{40, 56, 130})
}

func boomLift(telescopic bool) func(*machine) {
	return func(m *machine) {
		m.box(dark, 56, 128, 100, 14, 3)
		m.panel(body, 60, 100, 84, 26, 5)
		m.vents(66, 106, 28, 14)
		m.box(trim, 52, 104, 12, 20, 3)
		if telescopic {
			m.beam(body, 14, 12, 78, 94, 190, 46)
			m.beam(trim, 9, 8, 186, 48, 262, 16)
			m.ram(110, 102, 142, 68)
		} else {
			m.beam(body, 12, 11, 122, 104, 82, 58)
			m.beam(body, 11, 10, 82, 56, 130, 26)
			m.beam(body, 10, 8, 130, 24, 232, 42)
			m.ram(112, 100, 94, 72)
			m.line(dark, 4, 232, 42, 258, 30)
		}
		m.box(darker, 254, 40, 44, 5, 1)
		m.rail(255, 12, 42, 28)
		m.box(trim, 262, 14, 12, 10, 1)
		m.wheel(78, 146, 22)
		m.wheel(142, 146, 22)
		m.look(frame{206, 0, 110}, frame{40, 76, 120})
	}
}

func scissorLift(rough bool) func(*machine) {
	return func(m *machine) {
		m.sized(.9)
		r := 13.0
		if rough {
			r = 21
			m.leg(74, 134)
			m.leg(246, 134)
		}
		m.panel(body, 84, 126, 152, 24, 4)
		m.box(trim, 84, 132, 152, 5, 0)
		for i := range 3 {
			y := 124 - float64(i)*24
			m.line(bodyDark, 6, 98, y, 222, y-24)
			m.line(body, 6, 98, y-24, 222, y)
			m.disc(steel, 160, y-12, 3.5)
		}
		m.panel(body, 84, 40, 160, 12, 2)
		m.rail(86, 10, 156, 30)
		m.box(dark, 226, 14, 14, 14, 2)
		m.wheel(108, 168-r, r)
		m.wheel(212, 168-r, r)
		m.look(frame{80, 2, 130}, frame{74, 96, 120})
	}
}

func truckPlatform(m *machine) {
	m.truck(64, 112, 252)
	m.panel(body, 34, 110, 160, 14, 2)
	m.leg(40, 124)
	m.leg(188, 124)
	m.box(dark, 46, 96, 34, 16, 2)
	m.beam(trim, 12, 10, 62, 96, 176, 44)
	m.beam(trim, 10, 8, 176, 44, 116, 10)
	m.ram(80, 104, 126, 70)
	m.box(darker, 88, 16, 36, 4, 1)
	m.rail(89, -8, 34, 24)
	m.look(frame{62, -4, 110}, frame{200, 66, 110})
}

func forklift(m *machine) {
	m.sized(.94)
	m.panel(body, 86, 96, 86, 50, 10)
	m.poly(trim, 84, 104, 104, 98, 104, 146, 90, 146, 84, 138)
	m.box(darker, 122, 84, 28, 12, 4)
	m.box(darker, 116, 62, 9, 30, 4)
	m.line(dark, 4, 100, 98, 112, 42, 172, 42, 184, 104)
	m.line(dark, 3, 166, 104, 158, 82)
	m.box(dark, 190, 30, 7, 126, 1)
	m.box(steel, 199, 30, 5, 126, 1)
	m.box(dark, 186, 100, 22, 24, 2)
	m.poly(steel, 206, 98, 211, 98, 211, 150, 256, 152, 256, 156, 206, 156)
	m.box(wood, 212, 142, 50, 9, 0)
	m.box(wood, 214, 112, 46, 30, 1)
	m.box(earth, 214, 124, 46, 3, 0)
	m.wheel(112, 148, 20)
	m.wheel(174, 148, 20)
	m.look(frame{166, 70, 110}, frame{78, 30, 120})
}

func telehandler(turning bool) func(*machine) {
	return func(m *machine) {
		m.box(dark, 74, 122, 160, 16, 3)
		m.panel(body, 66, 96, 96, 34, 5)
		if turning {
			m.box(darker, 116, 104, 60, 8, 2)
			m.leg(60, 128)
			m.leg(248, 128)
		}
		m.vents(72, 104, 28, 18)
		m.cab(120, 60, 46, 60)
		m.beam(body, 16, 13, 76, 84, 204, 56)
		m.beam(bodyLight, 4, 3, 76, 80, 204, 52)
		m.beam(trim, 11, 9, 200, 56, 264, 42)
		m.ram(128, 112, 172, 70)
		m.line(body, 8, 264, 42, 272, 66)
		m.box(dark, 268, 52, 7, 30, 1)
		m.poly(steel, 273, 78, 312, 80, 312, 84, 273, 84)
		m.box(wood, 277, 54, 32, 24, 1)
		m.lugged(102, 141, 27)
		m.lugged(212, 141, 27)
		m.look(frame{206, 22, 110}, frame{60, 48, 120})
	}
}
