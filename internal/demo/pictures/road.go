package pictures

// This file: trucks, and machines for roads and concrete.

// truck is a lorry with its cab to the right and axles at the given places; the last
// one steers.
func (m *machine) truck(axles ...float64) {
	m.box(darker, 28, 130, 256, 9, 2)
	m.box(steel, 200, 138, 30, 14, 3)
	m.poly(body, 222, 76, 228, 72, 268, 72, 278, 104, 284, 112, 284, 148, 222, 148)
	m.poly(bodyLight, 228, 72, 268, 72, 270, 77, 226, 77)
	m.poly(glass, 232, 80, 264, 80, 273, 104, 232, 104)
	m.poly(glassLight, 236, 82, 248, 82, 242, 102, 236, 102)
	m.box(bodyDark, 222, 132, 62, 6, 0)
	m.box(dark, 230, 108, 1.5, 34, 0)
	m.box(dark, 276, 118, 9, 16, 1)
	m.box(darker, 222, 144, 64, 8, 2)
	m.disc(lamp, 281, 141, 3.4)
	m.box(dark, 272, 84, 4, 14, 1)
	for _, x := range axles {
		m.wheel(x, 150, 18)
	}
}

func flatbed(m *machine) {
	m.truck(66, 108, 252)
	m.panel(trim, 24, 118, 190, 12, 1)
	m.line(steel, 2, 210, 118, 210, 78)
	m.box(wood, 40, 96, 46, 22, 1)
	m.box(wood, 92, 88, 46, 30, 1)
	m.box(steel, 146, 104, 50, 14, 1)
	m.look(frame{20, 70, 120}, frame{196, 58, 110})
}

func offRoadTruck(m *machine) {
	m.truck()
	m.panel(trim, 24, 92, 188, 34, 2)
	for _, x := range []float64{48, 86, 124, 162} {
		m.box(darker, x, 94, 2, 30, 0)
	}
	m.poly(trim, 24, 94, 30, 60, 206, 60, 212, 94)
	m.box(glass, 46, 68, 30, 16, 2)
	m.box(glass, 96, 68, 30, 16, 2)
	m.box(glass, 146, 68, 30, 16, 2)
	for _, x := range []float64{62, 112, 252} {
		m.lugged(x, 146, 23)
	}
	m.look(frame{20, 50, 130}, frame{196, 58, 110})
}

func loaderCraneTruck(m *machine) {
	m.truck(66, 108, 252)
	m.panel(trim, 24, 118, 164, 12, 1)
	m.box(wood, 40, 94, 52, 24, 1)
	m.leg(200, 126)
	m.box(dark, 194, 94, 18, 36, 2)
	m.beam(warning, 10, 9, 203, 96, 192, 40)
	m.beam(warning, 9, 8, 192, 40, 110, 24)
	m.beam(steel, 6, 5, 114, 25, 76, 18)
	m.ram(204, 84, 186, 46)
	m.hook(72, 20, 64)
	m.look(frame{60, 10, 120}, frame{186, 58, 120})
}

func tipper(m *machine) {
	m.truck(64, 106, 252)
	m.poly(trim, 18, 76, 212, 76, 216, 84, 206, 124, 36, 124)
	m.poly(steel, 18, 76, 212, 76, 213, 80, 19, 80)
	for _, x := range []float64{60, 96, 132, 168} {
		m.box(darker, x, 80, 3, 44, 0)
	}
	m.poly(earth, 32, 76, 80, 54, 130, 60, 196, 76)
	m.poly(trim, 196, 76, 214, 76, 232, 66, 214, 66)
	m.ram(196, 126, 202, 84)
	m.look(frame{16, 46, 120}, frame{196, 58, 110})
}

func mixer(m *machine) {
	m.truck(60, 102, 252)
	m.box(dark, 30, 120, 180, 10, 1)
	m.poly(trim, 30, 66, 60, 58, 140, 60, 200, 84, 206, 100, 196, 116, 120, 118, 50, 104)
	m.poly(body, 62, 58, 84, 58, 96, 112, 74, 108)
	m.poly(body, 128, 60, 146, 62, 150, 118, 132, 118)
	m.poly(dark, 10, 60, 40, 52, 44, 62, 22, 74)
	m.line(steel, 3, 26, 70, 14, 112)
	m.poly(steel, 8, 108, 24, 106, 20, 116)
	m.line(steel, 2, 40, 120, 34, 56)
	m.look(frame{4, 40, 130}, frame{196, 58, 110})
}

func tank(fill tone) func(*machine) {
	return func(m *machine) {
		m.truck(64, 106, 252)
		m.box(fill, 26, 74, 186, 50, 24)
		m.box(steelLight, 40, 78, 158, 6, 3)
		for _, x := range []float64{60, 118, 176} {
			m.box(steel, x, 74, 3, 50, 0)
		}
		m.box(dark, 110, 66, 22, 9, 3)
		m.rail(60, 62, 100, 12)
		m.line(steel, 2, 32, 124, 32, 70)
		m.look(frame{20, 52, 130}, frame{196, 58, 110})
	}
}

func vacuumTruck(m *machine) {
	tank(trim)(m)
	m.disc(dark, 34, 99, 24)
	m.disc(steel, 34, 99, 18)
	m.disc(dark, 34, 99, 4)
	m.line(darker, 8, 190, 72, 168, 50, 110, 44, 60, 52, 22, 84, 20, 150)
	m.line(warning, 5, 188, 70, 196, 112)
	m.look(frame{4, 36, 130}, frame{196, 58, 110})
}

func pumpTruck(m *machine) {
	m.truck(60, 100, 210, 252)
	m.box(dark, 28, 116, 190, 14, 1)
	m.poly(dark, 12, 116, 46, 112, 42, 140, 20, 140)
	m.leg(74, 128)
	m.leg(194, 128)
	m.box(trim, 172, 92, 26, 26, 2)
	m.beam(trim, 11, 10, 186, 94, 46, 62)
	m.beam(trim, 10, 8, 46, 60, 250, 44)
	m.beam(trim, 8, 7, 250, 42, 70, 26)
	m.beam(trim, 6, 5, 70, 24, 220, 10)
	m.line(darker, 4, 220, 10, 222, 40)
	m.disc(dark, 46, 61, 5)
	m.disc(dark, 250, 43, 5)
	m.disc(dark, 70, 25, 4)
	m.look(frame{30, 2, 140}, frame{186, 58, 120})
}

func tractorUnit(m *machine) {
	m.box(darker, 60, 132, 210, 9, 2)
	m.poly(body, 186, 50, 194, 40, 252, 40, 264, 92, 270, 102, 270, 148, 186, 148)
	m.poly(bodyLight, 194, 40, 252, 40, 254, 46, 190, 46)
	m.poly(glass, 200, 54, 246, 54, 258, 92, 200, 92)
	m.poly(glassLight, 205, 57, 220, 57, 213, 90, 205, 90)
	m.box(bodyDark, 186, 130, 84, 7, 0)
	m.box(dark, 198, 96, 2, 44, 0)
	m.box(dark, 262, 108, 9, 22, 1)
	m.disc(lamp, 267, 140, 3.6)
	m.box(darker, 186, 144, 86, 8, 2)
	m.box(steel, 150, 138, 34, 16, 4)
	m.poly(dark, 82, 128, 140, 128, 146, 120, 90, 120)
	m.stack(178, 60, 60)
	m.wheel(86, 150, 18)
	m.wheel(128, 150, 18)
	m.wheel(240, 150, 18)
	m.look(frame{56, 90, 110}, frame{170, 30, 120})
}

func lowLoader(m *machine) {
	m.poly(body, 212, 84, 312, 84, 312, 96, 240, 98, 224, 138, 210, 138)
	m.panel(body, 100, 132, 122, 10, 1)
	m.poly(body, 16, 124, 104, 124, 110, 136, 104, 140, 16, 140)
	m.poly(trim, 12, 124, 22, 92, 28, 92, 24, 126)
	m.box(trim, 100, 134, 122, 3, 0)
	for i := range 7 {
		m.box(warning, 106+float64(i)*17, 138, 8, 3, 0)
	}
	m.leg(286, 96)
	for _, x := range []float64{34, 64, 94} {
		m.wheel(x, 152, 16)
	}
	m.sized(.4)
	m.dx, m.dy = 98, 65
	m.track(48, 156, 26)
	m.digger()
	m.arm(17, 15, 128, 120, 186, 90)
	m.arm(12, 9, 186, 90, 160, 150)
	m.scale, m.dx, m.dy = 1, 0, 0
	m.look(frame{90, 76, 130}, frame{4, 84, 120})
}

func drumRoller(m *machine) {
	m.panel(body, 58, 96, 76, 38, 7)
	m.vents(66, 104, 32, 20)
	m.stack(104, 78, 18)
	m.cab(126, 60, 48, 66)
	m.box(dark, 120, 122, 60, 14, 3)
	m.line(body, 12, 172, 122, 214, 122)
	m.box(body, 184, 116, 84, 12, 4)
	m.lugged(98, 138, 30)
	m.disc(steel, 228, 136, 32)
	m.disc(steelLight, 228, 136, 26)
	m.disc(body, 228, 136, 14)
	m.disc(dark, 228, 136, 5)
	m.box(body, 262, 118, 8, 26, 2)
	m.look(frame{176, 88, 110}, frame{84, 48, 120})
}

func tandemRoller(m *machine) {
	m.panel(body, 66, 102, 188, 26, 6)
	m.vents(76, 108, 34, 14)
	m.box(trim, 66, 118, 188, 4, 0)
	m.box(darker, 138, 88, 24, 12, 4)
	m.box(darker, 130, 68, 9, 26, 4)
	m.line(dark, 4, 124, 102, 124, 40, 202, 40, 206, 102)
	m.box(body, 116, 36, 96, 7, 3)
	m.line(dark, 3, 184, 102, 174, 84)
	for _, x := range []float64{92, 228} {
		m.disc(steel, x, 138, 30)
		m.disc(steelLight, x, 138, 25)
		m.disc(body, x, 138, 10)
		m.disc(dark, x, 138, 4)
	}
	m.look(frame{180, 84, 110}, frame{90, 28, 130})
}

func tyreRoller(m *machine) {
	m.panel(body, 56, 92, 210, 46, 8)
	m.box(trim, 56, 112, 210, 6, 0)
	m.vents(64, 98, 34, 12)
	m.cab(130, 46, 56, 60)
	for _, x := range []float64{84, 120, 204, 240} {
		m.wheel(x, 146, 22)
	}
	m.look(frame{170, 92, 110}, frame{100, 36, 120})
}

func plateCompactor(m *machine) {
	m.sized(.8)
	for _, x := range []float64{118, 196} {
		m.disc(steel, x, 146, 22)
		for i := range 6 {
			m.box(dark, x-19+float64(i)*7, 124, 4, 44, 1)
		}
		m.disc(body, x, 146, 9)
	}
	m.panel(body, 96, 96, 124, 38, 8)
	m.vents(106, 102, 34, 20)
	m.box(trim, 96, 124, 124, 6, 0)
	m.line(dark, 5, 98, 112, 50, 62, 38, 62)
	m.box(darker, 30, 57, 14, 9, 3)
	m.look(frame{150, 84, 110}, frame{24, 46, 120})
}

func paver(m *machine) {
	m.track(110, 220, 26)
	m.panel(body, 96, 92, 134, 48, 4)
	m.vents(150, 100, 40, 24)
	m.poly(dark, 226, 96, 300, 84, 296, 130, 232, 138)
	m.poly(body, 226, 96, 300, 84, 301, 90, 227, 102)
	m.poly(darker, 240, 92, 262, 74, 292, 84)
	m.line(dark, 3, 108, 92, 108, 44)
	m.line(dark, 3, 196, 92, 196, 44)
	m.box(body, 98, 38, 108, 7, 3)
	m.box(darker, 116, 78, 22, 14, 3)
	m.beam(bodyDark, 8, 8, 70, 140, 190, 124)
	m.panel(body, 40, 138, 64, 22, 2)
	m.box(steel, 36, 160, 72, 8, 1)
	m.rail(44, 118, 54, 20)
	m.box(darker, 4, 165, 36, 3, 0)
	m.look(frame{26, 90, 120}, frame{90, 28, 130})
}

func millingMachine(m *machine) {
	for _, x := range []float64{74, 196} {
		m.track(x-28, x+28, 22)
		m.box(steel, x-6, 116, 12, 32, 1)
	}
	m.panel(body, 44, 74, 184, 52, 6)
	m.vents(54, 84, 44, 26)
	m.box(trim, 44, 112, 184, 6, 0)
	m.line(dark, 3, 128, 74, 128, 32)
	m.line(dark, 3, 196, 74, 196, 32)
	m.box(body, 120, 26, 84, 7, 3)
	m.box(body, 108, 124, 54, 26, 3)
	m.disc(dark, 135, 152, 18)
	for i := range 8 {
		m.poly(steel, 118+float64(i)*5, 160, 122+float64(i)*5, 160, 120+float64(i)*5, 168)
	}
	m.beam(dark, 13, 10, 214, 110, 306, 42)
	m.beam(steel, 3, 3, 216, 102, 304, 36)
	m.look(frame{86, 92, 110}, frame{100, 18, 130})
}

func stabiliser(m *machine) {
	m.panel(body, 60, 90, 210, 34, 6)
	m.vents(196, 96, 46, 20)
	m.box(trim, 60, 114, 210, 5, 0)
	m.cab(138, 44, 52, 62)
	m.box(body, 126, 118, 74, 38, 8)
	m.disc(dark, 163, 148, 19)
	for i := range 9 {
		m.poly(steel, 144+float64(i)*5, 158, 148+float64(i)*5, 158, 146+float64(i)*5, 168)
	}
	m.lugged(88, 138, 30)
	m.lugged(242, 138, 30)
	m.poly(earth, 40, 168, 70, 160, 126, 160, 140, 168)
	m.look(frame{110, 92, 110}, frame{100, 34, 120})
}

func selfMixer(m *machine) {
	m.box(dark, 60, 124, 200, 14, 3)
	m.poly(trim, 40, 66, 68, 54, 140, 66, 158, 84, 152, 112, 92, 116, 52, 100)
	m.poly(bodyDark, 70, 55, 86, 57, 96, 114, 82, 113)
	m.poly(dark, 26, 70, 50, 56, 56, 70, 40, 84)
	m.cab(166, 58, 44, 66)
	m.panel(body, 204, 98, 36, 30, 4)
	m.arm(8, 7, 206, 110, 262, 136)
	m.shovel(262)
	m.lugged(98, 142, 26)
	m.lugged(216, 142, 26)
	m.look(frame{20, 40, 130}, frame{150, 46, 120})
}

func concretePump(m *machine) {
	m.sized(.9)
	m.panel(body, 74, 92, 130, 50, 4)
	m.vents(84, 100, 50, 30)
	m.box(trim, 74, 130, 130, 6, 0)
	m.poly(dark, 198, 84, 256, 84, 246, 126, 208, 126)
	m.poly(steel, 198, 84, 256, 84, 255, 90, 199, 90)
	m.poly(earth, 208, 84, 228, 74, 248, 84)
	m.line(steel, 9, 226, 132, 264, 132, 290, 150, 310, 150)
	m.disc(dark, 264, 132, 7)
	m.line(dark, 5, 74, 148, 40, 156)
	m.leg(88, 140)
	m.wheel(150, 150, 18)
	m.look(frame{180, 66, 120}, frame{60, 74, 120})
}
