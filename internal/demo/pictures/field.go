package pictures

// This file: machines of fields, forests and of sites that need power, air and light.

func tractor(m *machine) {
	m.panel(body, 166, 92, 88, 36, 8)
	m.poly(bodyLight, 166, 92, 250, 94, 254, 100, 166, 98)
	m.vents(222, 104, 22, 16)
	m.stack(180, 58, 36)
	m.box(dark, 120, 118, 120, 14, 3)
	m.cab(100, 44, 62, 76)
	m.box(trim, 98, 40, 58, 8, 3)
	m.poly(body, 82, 100, 96, 86, 136, 88, 150, 108, 146, 112, 130, 98, 98, 98, 88, 106)
	m.line(dark, 6, 84, 132, 60, 140)
	m.lugged(112, 126, 42)
	m.lugged(226, 140, 28)
	m.look(frame{170, 70, 110}, frame{74, 34, 130})
}

func bigTractor(m *machine) {
	m.panel(body, 178, 88, 102, 36, 8)
	m.vents(232, 96, 34, 20)
	m.stack(192, 52, 38)
	m.panel(body, 60, 102, 70, 26, 4)
	m.box(dark, 70, 122, 190, 14, 3)
	m.cab(122, 38, 62, 78)
	m.box(trim, 120, 34, 58, 8, 3)
	m.lugged(92, 130, 38)
	m.lugged(236, 130, 38)
	m.look(frame{178, 60, 120}, frame{96, 28, 120})
}

func combine(m *machine) {
	m.panel(body, 64, 62, 140, 64, 8)
	m.poly(body, 88, 62, 96, 44, 176, 44, 184, 62)
	m.box(trim, 64, 92, 140, 8, 0)
	m.vents(72, 70, 40, 16)
	m.cab(198, 50, 46, 60)
	m.line(body, 9, 118, 58, 44, 40)
	m.box(body, 34, 36, 14, 12, 3)
	m.poly(body, 226, 116, 262, 136, 256, 152, 214, 134)
	m.poly(dark, 252, 130, 300, 138, 304, 162, 250, 164)
	m.disc(trim, 278, 130, 20)
	m.disc(darker, 278, 130, 15)
	for i := range 6 {
		a := []float64{20, 0, 10, 17, -10, 17, -20, 0, -10, -17, 10, -17}
		m.line(trim, 2.4, 278, 130, 278+a[2*i], 130+a[2*i+1])
	}
	m.lugged(186, 132, 36)
	m.lugged(90, 142, 26)
	m.look(frame{206, 76, 112}, frame{50, 36, 140})
}

func forageHarvester(m *machine) {
	m.panel(body, 64, 72, 130, 54, 8)
	m.box(trim, 64, 98, 130, 7, 0)
	m.vents(72, 78, 44, 18)
	m.cab(186, 52, 50, 64)
	m.line(body, 10, 150, 78, 150, 26, 96, 14, 52, 34)
	m.poly(leaf, 50, 34, 36, 52, 20, 80, 44, 62)
	m.poly(body, 222, 118, 256, 134, 252, 152, 214, 136)
	m.poly(dark, 246, 128, 306, 146, 304, 164, 244, 164)
	for i := range 4 {
		m.poly(trim, 254+float64(i)*14, 136, 268+float64(i)*14, 164, 256+float64(i)*14, 164)
	}
	m.lugged(178, 132, 36)
	m.lugged(92, 144, 24)
	m.look(frame{206, 80, 112}, frame{30, 2, 150})
}

func sprayer(m *machine) {
	m.box(dark, 70, 104, 190, 10, 3)
	m.box(trim, 92, 62, 96, 46, 16)
	m.box(steelLight, 104, 66, 72, 6, 3)
	m.cab(194, 52, 48, 58)
	m.panel(body, 66, 84, 34, 24, 4)
	m.line(body, 6, 72, 96, 40, 96)
	m.line(steel, 4, 40, 60, 40, 140)
	m.line(steel, 3, 8, 136, 78, 136)
	for i := range 6 {
		x := 12 + float64(i)*12
		m.poly(glassLight, x, 138, x+5, 166, x-5, 166)
	}
	m.line(dark, 7, 100, 112, 100, 138)
	m.line(dark, 7, 224, 112, 224, 138)
	m.lugged(100, 136, 32)
	m.lugged(224, 136, 32)
	m.look(frame{2, 70, 130}, frame{130, 40, 130})
}

func baler(m *machine) {
	m.poly(body, 88, 130, 82, 84, 110, 56, 176, 56, 206, 92, 206, 132)
	m.poly(bodyLight, 110, 56, 176, 56, 182, 64, 106, 62)
	m.disc(trim, 144, 98, 33)
	m.disc(body, 144, 98, 27)
	m.line(trim, 4, 206, 122, 296, 140)
	m.disc(darker, 296, 140, 5)
	m.poly(dark, 170, 132, 226, 138, 224, 156, 176, 156)
	m.lugged(132, 142, 26)
	m.disc(wood, 46, 140, 28)
	m.disc(earth, 46, 140, 20)
	m.disc(wood, 46, 140, 14)
	m.look(frame{10, 50, 150}, frame{170, 80, 130})
}

func forestHarvester(m *machine) {
	m.panel(body, 42, 96, 78, 36, 6)
	m.vents(50, 102, 36, 20)
	m.box(dark, 116, 122, 40, 12, 3)
	m.panel(body, 150, 106, 62, 26, 4)
	m.cab(136, 50, 50, 62)
	m.arm(11, 9, 196, 108, 214, 40)
	m.arm(9, 7, 214, 40, 276, 60)
	m.ram(200, 100, 210, 54)
	m.box(dark, 268, 60, 18, 14, 3)
	m.poly(body, 264, 74, 292, 74, 290, 104, 268, 104)
	m.poly(steel, 262, 80, 258, 98, 268, 94)
	m.poly(steel, 292, 80, 298, 98, 288, 94)
	m.line(wood, 11, 226, 96, 316, 88)
	m.lugged(62, 140, 27)
	m.lugged(112, 140, 27)
	m.lugged(194, 136, 32)
	m.look(frame{206, 28, 114}, frame{110, 38, 120})
}

func forwarder(m *machine) {
	m.box(dark, 36, 124, 140, 10, 2)
	for i := range 3 {
		x, y := float64(i)*6, 112-float64(i)*13
		m.line(wood, 13, 40+x, y, 160-x, y)
		m.disc(earth, 40+x, y, 5)
	}
	for _, x := range []float64{52, 100, 148} {
		m.line(dark, 4, x, 126, x, 66)
	}
	m.line(steel, 3, 172, 126, 172, 56)
	m.arm(9, 8, 176, 112, 166, 34)
	m.arm(8, 6, 166, 34, 106, 22)
	m.poly(dark, 98, 26, 112, 26, 118, 44, 104, 38, 92, 44)
	m.cab(190, 56, 48, 62)
	m.panel(body, 234, 98, 52, 32, 6)
	m.vents(256, 104, 20, 16)
	m.lugged(66, 144, 23)
	m.lugged(114, 144, 23)
	m.lugged(246, 140, 28)
	m.look(frame{40, 14, 140}, frame{170, 46, 120})
}

func mulcher(m *machine) {
	m.track(64, 196, 34)
	m.panel(body, 58, 92, 100, 46, 6)
	m.vents(66, 100, 40, 24)
	m.stack(84, 74, 18)
	m.cab(134, 56, 56, 68)
	m.beam(dark, 10, 9, 180, 128, 230, 138)
	m.poly(body, 218, 110, 268, 106, 276, 142, 268, 156, 222, 158)
	m.disc(dark, 252, 148, 19)
	for i := range 7 {
		a := []float64{19, 0, 13, 13, 0, 19, -13, 13, -19, 0, -13, -13, 13, -13}
		m.box(steel, 252+a[2*i]-3, 148+a[2*i+1]-3, 6, 6, 1)
	}
	m.poly(wood, 270, 168, 284, 152, 300, 160, 308, 168)
	m.look(frame{190, 86, 112}, frame{50, 44, 130})
}

func chipper(m *machine) {
	m.sized(.92)
	m.line(dark, 6, 80, 140, 250, 140)
	m.panel(body, 96, 90, 84, 48, 6)
	m.vents(104, 98, 38, 26)
	m.disc(bodyDark, 172, 112, 24)
	m.disc(body, 172, 112, 18)
	m.poly(body, 190, 100, 258, 84, 262, 132, 190, 126)
	m.poly(darker, 250, 88, 258, 86, 261, 130, 252, 128)
	m.line(wood, 8, 236, 112, 312, 96)
	m.line(body, 13, 158, 92, 152, 52, 118, 34)
	m.poly(wood, 112, 30, 74, 50, 48, 96, 86, 66, 116, 42)
	m.line(dark, 4, 80, 140, 44, 152)
	m.wheel(150, 150, 18)
	m.look(frame{40, 26, 150}, frame{170, 70, 120})
}

func genset(m *machine) {
	m.box(dark, 46, 146, 230, 14, 2)
	m.leg(62, 150)
	m.leg(258, 150)
	m.panel(body, 48, 70, 226, 78, 5)
	m.box(bodyDark, 122, 76, 1.6, 66, 0)
	m.box(bodyDark, 196, 76, 1.6, 66, 0)
	m.vents(60, 84, 50, 48)
	m.vents(208, 84, 54, 30)
	m.box(trim, 48, 128, 226, 8, 0)
	m.box(darker, 136, 84, 46, 34, 2)
	m.box(lamp, 142, 90, 20, 12, 1)
	m.disc(warning, 172, 94, 4)
	m.disc(leaf, 172, 108, 3)
	m.stack(230, 52, 20)
	m.look(frame{110, 66, 100}, frame{44, 60, 130})
}

func portableGenerator(m *machine) {
	m.sized(.62)
	m.panel(body, 84, 76, 160, 84, 22)
	m.box(bodyDark, 84, 132, 160, 22, 8)
	m.line(body, 12, 112, 80, 128, 50, 200, 50, 216, 80)
	m.line(darker, 6, 132, 50, 196, 50)
	m.vents(98, 96, 34, 34)
	m.box(darker, 142, 92, 66, 44, 4)
	m.disc(white, 160, 114, 10)
	m.disc(dark, 160, 114, 6)
	m.disc(white, 188, 114, 10)
	m.disc(dark, 188, 114, 6)
	m.box(lamp, 150, 96, 20, 5, 1)
	m.box(tyre, 100, 158, 24, 10, 3)
	m.box(tyre, 204, 158, 24, 10, 3)
	m.look(frame{130, 70, 100}, frame{76, 40, 130})
}

func compressor(m *machine) {
	m.sized(.92)
	m.line(dark, 6, 216, 138, 300, 144)
	m.disc(darker, 300, 144, 5)
	m.leg(262, 140)
	m.poly(body, 60, 136, 60, 92, 76, 70, 208, 70, 230, 96, 230, 136)
	m.poly(bodyLight, 76, 70, 208, 70, 212, 76, 72, 76)
	m.box(bodyDark, 60, 128, 170, 10, 2)
	m.vents(76, 88, 50, 32)
	m.box(darker, 150, 86, 44, 30, 3)
	m.disc(white, 162, 97, 6)
	m.disc(white, 180, 97, 6)
	m.line(warning, 5, 64, 130, 36, 140, 30, 162, 8, 164)
	m.wheel(132, 148, 20)
	m.wheel(170, 148, 20)
	m.look(frame{120, 66, 100}, frame{10, 66, 130})
}

func waterPump(m *machine) {
	m.sized(.92)
	m.box(dark, 60, 146, 200, 10, 2)
	m.panel(body, 70, 82, 94, 64, 5)
	m.vents(80, 92, 46, 34)
	m.stack(96, 62, 22)
	m.disc(trim, 198, 114, 32)
	m.disc(body, 198, 114, 25)
	m.disc(dark, 198, 114, 9)
	m.box(trim, 190, 60, 20, 34, 2)
	m.box(dark, 186, 56, 28, 7, 2)
	m.line(steel, 13, 228, 116, 270, 116)
	m.line(darker, 12, 270, 116, 300, 140, 312, 168)
	m.line(warning, 11, 200, 54, 214, 30, 268, 26)
	m.poly(glassLight, 268, 20, 300, 40, 310, 74, 300, 66, 268, 34)
	m.wheel(106, 152, 16)
	m.wheel(226, 152, 16)
	m.look(frame{150, 20, 130}, frame{56, 56, 130})
}

func lightTower(m *machine) {
	m.line(dark, 5, 76, 146, 252, 146)
	m.leg(66, 140)
	m.leg(232, 140)
	m.panel(body, 92, 98, 104, 48, 6)
	m.vents(104, 106, 40, 26)
	m.box(steel, 166, 30, 10, 72, 1)
	m.box(steelLight, 168, 8, 6, 60, 1)
	m.line(dark, 4, 130, 10, 212, 10)
	for _, x := range []float64{126, 152, 180, 206} {
		m.box(dark, x-11, 0, 22, 18, 3)
		m.box(lamp, x-8, 3, 16, 12, 2)
	}
	m.line(dark, 4, 252, 146, 284, 150)
	m.wheel(144, 152, 16)
	m.look(frame{112, -8, 110}, frame{76, 80, 130})
}

func crate(m *machine) {
	m.panel(body, 100, 80, 120, 88, 4)
	m.line(bodyDark, 6, 100, 80, 220, 168)
	m.line(bodyDark, 6, 220, 80, 100, 168)
}
