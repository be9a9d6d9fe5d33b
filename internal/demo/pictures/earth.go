package pictures

// This file: machines that dig, push, load and haul.

// bucket is a digging bucket that hangs at x, y.
func (m *machine) bucket(x, y float64) {
	m.poly(dark, x-7, y-6, x+8, y-5, x+10, y+6, x+2, y+19, x-13, y+21, x-19, y+14, x-9, y+9)
	m.poly(steel, x-19, y+14, x-21, y+22, x-13, y+21)
	m.disc(steel, x, y-2, 3)
}

// digger is an excavator on something that drives, whose front is at 128, 118.
func (m *machine) digger() {
	m.box(darker, 88, 136, 44, 12, 3)
	m.panel(body, 52, 104, 84, 36, 7)
	m.poly(trim, 52, 112, 66, 106, 66, 138, 55, 138, 52, 130)
	m.vents(74, 112, 26, 20)
	m.stack(78, 92, 14)
	m.cab(104, 78, 36, 56)
}

func excavator(scale float64, front func(*machine)) func(*machine) {
	return func(m *machine) {
		m.sized(scale)
		m.track(48, 156, 26)
		m.digger()
		front(m)
	}
}

func frontUsual(m *machine) {
	m.arm(17, 15, 128, 120, 186, 50)
	m.arm(15, 12, 186, 50, 236, 70)
	m.ram(138, 122, 180, 66)
	m.arm(12, 9, 232, 66, 262, 124)
	m.ram(196, 46, 236, 58)
	m.ram(238, 70, 258, 108)
	m.bucket(262, 128)
	m.look(frame{178, 78, 126}, frame{44, 68, 120})
}

func frontLong(m *machine) {
	m.arm(15, 11, 128, 120, 206, 24)
	m.ram(138, 122, 176, 70)
	m.arm(10, 6, 206, 24, 300, 116)
	m.ram(212, 22, 232, 46)
	m.bucket(300, 120)
	m.look(frame{200, 60, 120}, frame{44, 68, 120})
}

func frontHighReach(m *machine) {
	m.arm(18, 14, 128, 120, 166, 44)
	m.ram(138, 118, 162, 66)
	m.arm(13, 9, 166, 44, 232, 14)
	m.arm(9, 7, 232, 14, 274, 46)
	m.ram(176, 38, 210, 20)
	m.poly(dark, 268, 42, 280, 42, 284, 56, 276, 52, 268, 58)
	m.poly(steel, 284, 56, 288, 68, 280, 62, 276, 52)
	m.poly(steel, 268, 58, 266, 70, 274, 64, 276, 52)
	m.look(frame{196, 6, 120}, frame{44, 68, 120})
}

func wheeledExcavator(m *machine) {
	m.box(dark, 46, 136, 120, 14, 3)
	m.leg(40, 140)
	m.wheel(72, 148, 20)
	m.wheel(140, 148, 20)
	m.digger()
	frontUsual(m)
}

func bucketWheel(m *machine) {
	m.track(40, 150, 28)
	m.box(darker, 80, 130, 40, 14, 3)
	m.panel(body, 60, 96, 76, 36, 5)
	m.lattice(steel, 98, 96, 98, 28, 16)
	m.lattice(steel, 98, 34, 236, 70, 10)
	m.lattice(steel, 98, 34, 26, 84, 10)
	m.box(dark, 10, 80, 26, 24, 3)
	m.disc(dark, 252, 80, 34)
	m.disc(body, 252, 80, 25)
	for i := range 8 {
		a := []float64{0, -33, 23, -23, 33, 0, 23, 23, 0, 33, -23, 23, -33, 0, -23, -23}
		m.box(steel, 252+a[2*i]-6, 80+a[2*i+1]-6, 12, 12, 3)
	}
	m.disc(steel, 252, 80, 8)
	m.look(frame{200, 30, 110}, frame{50, 70, 110})
}

func robot(m *machine) {
	m.sized(.72)
	m.track(90, 190, 24)
	m.leg(72, 132)
	m.leg(206, 132)
	m.line(body, 8, 92, 132, 72, 138)
	m.line(body, 8, 186, 132, 206, 138)
	m.panel(body, 96, 104, 84, 38, 6)
	m.vents(104, 112, 24, 20)
	m.arm(14, 12, 158, 106, 190, 34)
	m.arm(12, 10, 190, 34, 240, 50)
	m.arm(10, 8, 240, 50, 258, 92)
	m.ram(166, 104, 186, 52)
	m.box(dark, 252, 88, 14, 30, 3)
	m.line(steel, 4, 259, 118, 259, 142)
	m.look(frame{186, 40, 110}, frame{80, 84, 120})
}

func dozer(length float64) func(*machine) {
	return func(m *machine) {
		m.track(84-length, 214+length/3, 34)
		m.panel(body, 152, 98, 62, 40, 5)
		m.vents(166, 106, 30, 20)
		m.stack(180, 78, 22)
		m.cab(104, 66, 52, 68)
		m.poly(dark, 66, 132, 88, 128, 88, 140, 74, 146)
		m.poly(steel, 62, 128, 72, 128, 60, 168, 54, 160)
		m.beam(bodyDark, 10, 9, 140, 150, 236, 148)
		m.ram(206, 112, 232, 136)
		m.poly(body, 232, 104, 246, 100, 252, 134, 256, 168, 242, 168, 236, 140)
		m.poly(bodyLight, 246, 100, 250, 102, 258, 168, 254, 168, 250, 136)
		m.poly(steel, 240, 162, 260, 162, 262, 168, 242, 168)
		m.look(frame{190, 86, 100}, frame{84, 56, 110})
	}
}

// shovel is a loader's bucket with its back at x.
func (m *machine) shovel(x float64) {
	const y = 150
	m.poly(dark, x, y-24, x+10, y-26, x+8, y-4, x+38, y+10, x+36, y+14, x+4, y+12, x-4, y)
	m.poly(body, x, y-24, x+4, y-25, x+4, y+4, x+14, y+12, x+4, y+12, x-4, y)
	m.poly(steel, x+34, y+8, x+42, y+12, x+36, y+15)
}

func loader(scale float64) func(*machine) {
	return func(m *machine) {
		m.sized(scale)
		m.panel(body, 44, 96, 70, 40, 8)
		m.vents(52, 104, 30, 22)
		m.stack(88, 78, 18)
		m.box(trim, 44, 128, 40, 8, 2)
		m.box(dark, 106, 126, 46, 18, 3)
		m.cab(104, 62, 46, 66)
		m.poly(body, 146, 112, 176, 108, 196, 134, 190, 146, 150, 146)
		m.arm(13, 11, 164, 106, 232, 136)
		m.ram(170, 128, 214, 126)
		m.line(body, 8, 176, 92, 230, 118)
		m.line(dark, 5, 166, 104, 176, 92)
		m.shovel(238)
		m.wheel(82, 140, 28)
		m.wheel(182, 140, 28)
		m.look(frame{176, 78, 110}, frame{70, 50, 120})
	}
}

func backhoe(m *machine) {
	m.box(dark, 92, 124, 110, 16, 3)
	m.panel(body, 164, 96, 54, 34, 5)
	m.vents(178, 102, 26, 18)
	m.stack(186, 78, 18)
	m.cab(106, 60, 60, 66)
	m.arm(9, 8, 160, 104, 242, 132)
	m.ram(180, 122, 226, 126)
	m.shovel(246)
	m.poly(body, 84, 112, 108, 104, 108, 136, 88, 138)
	m.arm(11, 9, 92, 112, 62, 46)
	m.arm(9, 7, 62, 46, 36, 104)
	m.ram(86, 108, 64, 62)
	m.ram(68, 42, 44, 60)
	m.poly(dark, 30, 100, 42, 104, 52, 118, 40, 128, 26, 118)
	m.leg(84, 130)
	m.lugged(126, 136, 33)
	m.wheel(204, 145, 23)
	m.look(frame{14, 30, 110}, frame{96, 50, 120})
}

func skidSteer(tracked bool) func(*machine) {
	return func(m *machine) {
		m.sized(.86)
		if tracked {
			m.track(84, 194, 40)
		}
		m.panel(body, 80, 96, 100, 46, 6)
		m.vents(84, 102, 24, 24)
		m.box(dark, 112, 52, 54, 52, 4)
		m.box(glass, 120, 60, 38, 38, 2)
		m.poly(glassLight, 124, 62, 138, 62, 130, 96, 124, 96)
		m.box(body, 108, 48, 60, 7, 3)
		m.arm(10, 9, 84, 78, 178, 92)
		m.arm(9, 8, 178, 92, 208, 140)
		m.line(body, 7, 84, 78, 92, 108)
		m.ram(98, 112, 150, 90)
		m.shovel(206)
		if !tracked {
			m.wheel(108, 146, 22)
			m.wheel(166, 146, 22)
		}
		m.look(frame{150, 70, 110}, frame{80, 40, 110})
	}
}

func grader(m *machine) {
	m.panel(body, 40, 98, 74, 36, 5)
	m.vents(48, 104, 34, 22)
	m.stack(90, 80, 18)
	m.cab(112, 64, 44, 60)
	m.beam(body, 12, 10, 150, 104, 276, 112)
	m.beam(bodyLight, 3, 2, 150, 101, 276, 109)
	m.line(body, 10, 276, 112, 280, 138)
	m.ram(196, 106, 190, 140)
	m.disc(dark, 196, 138, 13)
	m.poly(steel, 166, 146, 226, 138, 230, 162, 170, 168)
	m.poly(steelLight, 166, 146, 226, 138, 227, 142, 167, 150)
	m.wheel(66, 144, 24)
	m.wheel(116, 144, 24)
	m.wheel(280, 144, 24)
	m.look(frame{150, 86, 100}, frame{84, 52, 110})
}

func articulatedDumper(m *machine) {
	m.box(dark, 46, 128, 170, 12, 3)
	m.poly(body, 34, 72, 176, 82, 190, 92, 176, 132, 72, 132, 44, 112)
	m.poly(bodyLight, 34, 72, 176, 82, 190, 92, 186, 96, 172, 88, 36, 78)
	for _, x := range []float64{72, 104, 136} {
		m.poly(bodyDark, x, 92, x+5, 92, x+9, 130, x+4, 130)
	}
	m.poly(earth, 48, 73, 84, 58, 124, 62, 160, 80)
	m.cab(200, 66, 44, 58)
	m.panel(body, 238, 98, 46, 34, 6)
	m.vents(262, 104, 18, 18)
	m.wheel(84, 144, 24)
	m.wheel(136, 144, 24)
	m.wheel(238, 144, 24)
	m.look(frame{30, 50, 120}, frame{186, 52, 110})
}

func rigidDumper(m *machine) {
	m.box(dark, 60, 118, 200, 16, 3)
	m.poly(body, 30, 60, 180, 48, 270, 40, 276, 50, 206, 62, 190, 112, 96, 120, 52, 100)
	m.poly(bodyLight, 30, 60, 180, 48, 270, 40, 272, 45, 182, 54, 34, 66)
	for _, x := range []float64{84, 116, 148} {
		m.poly(bodyDark, x, 68, x+6, 67, x+12, 112, x+6, 113)
	}
	m.poly(earth, 56, 58, 96, 34, 140, 36, 182, 48)
	m.panel(body, 214, 88, 68, 36, 4)
	m.cab(206, 58, 40, 44)
	m.rail(248, 76, 34, 14)
	m.box(dark, 276, 94, 8, 32, 2)
	m.line(steel, 2, 272, 124, 262, 88)
	m.wheel(112, 132, 36)
	m.wheel(242, 132, 36)
	m.look(frame{24, 26, 130}, frame{190, 40, 120})
}

func siteDumper(m *machine) {
	m.sized(.82)
	m.box(dark, 84, 124, 130, 14, 3)
	m.poly(body, 168, 82, 262, 74, 268, 84, 244, 126, 186, 128)
	m.poly(bodyLight, 168, 82, 262, 74, 264, 79, 170, 88)
	m.poly(earth, 180, 81, 206, 62, 236, 66, 252, 75)
	m.panel(body, 74, 96, 64, 34, 6)
	m.vents(80, 102, 28, 18)
	m.box(darker, 132, 92, 22, 8, 3)
	m.box(darker, 130, 72, 8, 26, 3)
	m.line(dark, 4, 124, 96, 124, 34, 158, 34)
	m.line(dark, 3, 160, 96, 168, 78)
	m.wheel(106, 142, 26)
	m.wheel(208, 142, 26)
	m.look(frame{156, 50, 120}, frame{70, 50, 110})
}

func trackedCarrier(m *machine) {
	m.track(40, 270, 34)
	m.panel(body, 52, 100, 216, 38, 8)
	m.panel(body, 60, 58, 128, 48, 6)
	for _, x := range []float64{72, 110, 148} {
		m.box(glass, x, 66, 28, 20, 3)
		m.poly(glassLight, x+3, 68, x+12, 68, x+7, 84, x+3, 84)
	}
	m.poly(body, 188, 58, 214, 58, 236, 100, 188, 106)
	m.poly(glass, 194, 64, 211, 64, 226, 94, 194, 94)
	m.box(trim, 52, 112, 216, 6, 1)
	m.disc(lamp, 262, 112, 5)
	m.look(frame{170, 50, 110}, frame{40, 50, 120})
}

func trencher(m *machine) {
	m.track(70, 176, 30)
	m.panel(body, 66, 98, 112, 40, 5)
	m.vents(74, 106, 30, 20)
	m.stack(84, 82, 16)
	m.cab(120, 56, 44, 58)
	m.beam(body, 18, 14, 182, 122, 268, 158)
	m.beam(dark, 12, 9, 186, 124, 270, 160)
	for i := range 9 {
		x, y := 186+float64(i)*10, 114+float64(i)*4.2
		m.poly(steel, x, y, x+5, y-6, x+7, y+3)
	}
	m.disc(dark, 180, 122, 13)
	m.poly(earth, 196, 168, 232, 146, 268, 168)
	m.look(frame{160, 86, 120}, frame{60, 46, 120})
}

func directionalDrill(m *machine) {
	m.track(50, 150, 28)
	m.panel(body, 46, 100, 92, 40, 5)
	m.vents(54, 108, 34, 20)
	m.cab(140, 74, 38, 54)
	m.beam(body, 12, 10, 90, 92, 272, 150)
	m.beam(dark, 5, 4, 96, 86, 276, 144)
	m.box(trim, 128, 90, 24, 16, 3)
	for i := range 4 {
		m.line(steelLight, 2.4, 96+float64(i)*4, 84-float64(i)*5, 190+float64(i)*4, 114-float64(i)*5)
	}
	m.line(steel, 3, 270, 148, 310, 166)
	m.leg(262, 142)
	m.look(frame{180, 86, 120}, frame{40, 60, 130})
}

func drillRig(m *machine) {
	m.track(50, 160, 28)
	m.box(darker, 90, 130, 40, 14, 3)
	m.panel(body, 44, 100, 84, 36, 5)
	m.vents(54, 106, 34, 22)
	m.cab(112, 82, 36, 50)
	m.box(body, 176, 10, 14, 144, 2)
	m.box(bodyLight, 177, 10, 4, 144, 1)
	m.poly(body, 168, 10, 206, 6, 206, 14, 170, 18)
	m.ram(132, 112, 178, 66)
	m.line(body, 8, 140, 120, 178, 132)
	m.box(steel, 197, 14, 7, 96, 1)
	m.panel(body, 190, 92, 22, 22, 3)
	m.box(dark, 196, 114, 9, 22, 1)
	for i := range 4 {
		m.poly(steel, 190, 136+float64(i)*8, 212, 132+float64(i)*8, 212, 137+float64(i)*8, 190, 141+float64(i)*8)
	}
	m.look(frame{146, 76, 100}, frame{40, 70, 120})
}

func crusher(m *machine) {
	m.track(70, 220, 26)
	m.box(dark, 60, 124, 190, 18, 2)
	m.poly(body, 40, 56, 124, 56, 108, 92, 62, 92)
	m.poly(bodyLight, 40, 56, 124, 56, 122, 61, 42, 61)
	m.poly(earth, 52, 56, 70, 42, 96, 46, 112, 56)
	m.panel(body, 100, 84, 62, 44, 4)
	m.disc(dark, 138, 104, 19)
	m.disc(steel, 138, 104, 13)
	m.disc(dark, 138, 104, 4)
	m.panel(body, 168, 94, 66, 34, 4)
	m.vents(176, 100, 30, 20)
	m.beam(dark, 12, 9, 200, 146, 296, 76)
	m.beam(steel, 3, 3, 204, 138, 296, 70)
	m.poly(earth, 272, 168, 298, 112, 318, 168)
	m.line(earth, 3, 298, 74, 300, 118)
	m.look(frame{36, 34, 130}, frame{180, 66, 130})
}
