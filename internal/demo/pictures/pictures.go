// Package pictures draws the pictures of the demo catalogue: each type as what it
// is, each maker in its colours, from several sides. The stand-in of the file service
// gives them out; nothing of them is stored but what somebody has asked for.
//
// This file: which pictures there are.
package pictures

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	api "equipment-platform/gen/filesapi"
	"equipment-platform/internal/demo"
)

// quality of the pictures: flat areas show what a smaller one does to edges.
const quality = 84

// view is what a picture shows of its machine.
type view struct {
	description string
	draw        func(*canvas, *subject)
	frame       func(*machine) frame
	mirror      bool
}

// whole is the part of the field that shows all of a machine and some of its
// surroundings: a small machine is not lost in it.
func whole(m *machine) frame {
	left, right, top := fieldWidth, 0.0, fieldHeight
	for _, s := range m.shapes {
		for _, p := range s.points {
			left, right, top = min(left, p.x), max(right, p.x), min(top, p.y)
		}
	}
	width := max((right-left)*1.14, (ground-top)*1.3*fieldWidth/fieldHeight, 170)
	return frame{(left + right - width) / 2, ground - width*fieldHeight/fieldWidth*.84, width}
}

var views = [demo.Pictures]view{
	{"Side view", onSite, whole, false},
	{"Working end", onSite, func(m *machine) frame { return m.tool }, false},
	{"Cab and drive", onSite, func(m *machine) frame { return m.place }, true},
	{"Outline", onPaper, whole, false},
}

// subject is a machine of the catalogue.
type subject struct {
	Key, Type, BrandName, ModelName, Owner string

	view int
}

func (s *subject) random(salt string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s.Key + salt))
	return rand.New(rand.NewPCG(h.Sum64(), 1)) //nolint:gosec // for clouds
}

func (s *subject) drawing() (*machine, kind) {
	k, known := kinds[s.Type]
	if !known {
		k = kind{crate, yard}
	}
	m := newMachine()
	k.draw(m)
	return m, k
}

func (s *subject) colours() [tones]color.NRGBA {
	if own, known := makers[s.BrandName]; known {
		return palette(own[0], own[1])
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(s.BrandName))
	other := painted[h.Sum32()%uint32(len(painted))]
	return palette(other[0], other[1])
}

// Catalogue knows the pictures of the demo catalogue by their ids.
type Catalogue struct{ subjects map[uuid.UUID]subject }

// New reads the demo catalogue. It is part of the program: what fails is a mistake in it.
func New() *Catalogue {
	raw, err := demo.Data.ReadFile("vehicles.json")
	if err != nil {
		panic(err)
	}
	var vehicles []subject
	if err := json.Unmarshal(raw, &vehicles); err != nil {
		panic(err)
	}
	c := &Catalogue{map[uuid.UUID]subject{}}
	for _, v := range vehicles {
		for i, id := range demo.PictureIDs(v.Key) {
			v.view = i
			c.subjects[id] = v
		}
	}
	return c
}

var made = time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)

// Describe implements files.Drawn.
func (c *Catalogue) Describe(id uuid.UUID) (api.StoredFile, bool) {
	s, known := c.subjects[id]
	if !known {
		return api.StoredFile{}, false
	}
	width, height := int32(1280), int32(800)
	return api.StoredFile{
		ID: id, EntityType: api.EQUIPMENT, FileName: fmt.Sprintf("%s-%d.jpg", s.Key, s.view+1), Description: views[s.view].description,
		ContentType: api.ImageJpeg, Width: &width, Height: &height, UploaderUserID: s.Owner, CreatedAt: made,
	}, true
}

// Draw implements files.Drawn.
func (c *Catalogue) Draw(id uuid.UUID, width int) ([]byte, string, error) {
	s, known := c.subjects[id]
	if !known {
		return nil, "", errors.New("no such picture")
	}
	v := views[s.view]
	m, _ := s.drawing()
	canvas := newCanvas(width, v.frame(m), v.mirror)
	v.draw(canvas, &s)
	var out bytes.Buffer
	err := jpeg.Encode(&out, canvas.picture, &jpeg.Options{Quality: quality})
	return out.Bytes(), string(api.ImageJpeg), err
}

// onSite shows a machine where it works.
func onSite(c *canvas, s *subject) {
	m, k := s.drawing()
	k.scene(c, s.random("site"))
	shadow := &machine{scale: 1}
	low, high := 320.0, 0.0
	for _, shape := range m.shapes {
		for _, p := range shape.points {
			if p.y > ground-12 {
				low, high = min(low, p.x), max(high, p.x)
			}
		}
	}
	shadow.box(shade, low-6, ground-3, high-low+18, 9, 5)
	c.paint(shadow, s.colours())
	c.paint(m, s.colours())
}

var (
	paper = rgb(0x1f4363)
	grid  = rgb(0x2b5478)
	ink   = rgb(0xdbe8f2)
)

// onPaper shows a machine as lines.
func onPaper(c *canvas, s *subject) {
	m, _ := s.drawing()
	c.rect(-60, -60, 460, 320, paper)
	for i := range 48 {
		c.rect(-60+float64(i)*10, -60, .35, 320, grid)
		c.rect(-60, -60+float64(i)*10, 460, .35, grid)
	}
	c.rect(-20, ground, 360, .9, ink)
	for _, shape := range m.shapes {
		c.fill(shape.points, paper)
		c.outline(shape.points, .8, ink)
	}
}
