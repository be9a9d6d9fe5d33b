package files

// This file: what bytes are, and narrower pictures of them.

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	_ "image/gif" // as the others: decoders of what may be uploaded
	"image/jpeg"
	"image/png"
	"net/http"
	"slices"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	api "equipment-platform/gen/filesapi"
)

// maxPixels bounds an image: decoded it takes four bytes for each.
const maxPixels = 40_000_000

// quality of narrower pictures without transparency.
const quality = 82

type point = image.Point

var accepted = []string{
	string(api.ImageJpeg), string(api.ImagePng), string(api.ImageGif), string(api.ImageWebp), string(api.ApplicationPdf),
}

// sniff says what bytes are by their first ones; empty: nothing that is taken.
func sniff(content []byte) string {
	found := http.DetectContentType(content)
	if !slices.Contains(accepted, found) {
		return ""
	}
	return found
}

// checkImage decodes an image, whose size is looked at before anything is made of it.
func checkImage(content []byte) (point, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || config.Width <= 0 || config.Height <= 0 {
		return point{}, errImageInvalid
	}
	if config.Height > maxPixels/config.Width {
		return point{}, errImageLarge
	}
	if _, _, err := image.Decode(bytes.NewReader(content)); err != nil {
		return point{}, errImageInvalid
	}
	size := point{X: config.Width, Y: config.Height}
	if orientation(content) >= 5 {
		size.X, size.Y = size.Y, size.X
	}
	return size, nil
}

// narrow makes a picture of at most a width, upright, and says its content type.
func narrow(content []byte, width int) ([]byte, string, error) {
	decoded, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, "", errImageInvalid.Because(err)
	}
	turn := orientation(content)
	size := decoded.Bounds().Size()
	if turn >= 5 {
		size.X, size.Y = size.Y, size.X
	}
	target := size
	if size.X > width {
		target = point{X: width, Y: max(1, (size.Y*width+size.X/2)/size.X)}
	}
	room := target
	if turn >= 5 {
		room.X, room.Y = room.Y, room.X
	}
	scaled := image.NewNRGBA(image.Rectangle{Max: room})
	draw.CatmullRom.Scale(scaled, scaled.Bounds(), decoded, decoded.Bounds(), draw.Src, nil)
	return encode(upright(scaled, turn))
}

// encode writes a picture in the form that suits it, and says its content type.
func encode(picture *image.NRGBA) ([]byte, string, error) {
	var out bytes.Buffer
	if picture.Opaque() {
		err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: quality})
		return out.Bytes(), string(api.ImageJpeg), err
	}
	err := png.Encode(&out, picture)
	return out.Bytes(), string(api.ImagePng), err
}

// upright turns a picture as its camera's note asks for (Exif, tag 274).
func upright(picture *image.NRGBA, turn int) *image.NRGBA {
	if turn < 2 || turn > 8 {
		return picture
	}
	w, h := picture.Bounds().Dx(), picture.Bounds().Dy()
	target := image.NewNRGBA(image.Rect(0, 0, w, h))
	if turn >= 5 {
		target = image.NewNRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			to := [...]point{2: {X: w - 1 - x, Y: y}, 3: {X: w - 1 - x, Y: h - 1 - y}, 4: {X: x, Y: h - 1 - y},
				5: {X: y, Y: x}, 6: {X: h - 1 - y, Y: x}, 7: {X: h - 1 - y, Y: w - 1 - x}, 8: {X: y, Y: w - 1 - x}}[turn]
			target.SetNRGBA(to.X, to.Y, picture.At(x, y).(color.NRGBA))
		}
	}
	return target
}

// orientation reads how a camera was held from a JPEG file; 1: upright, or not said.
func orientation(content []byte) int {
	for rest := content; len(rest) > 4; {
		if len(rest) == len(content) { // the mark of a JPEG file
			if !bytes.HasPrefix(rest, []byte{0xFF, 0xD8}) {
				return 1
			}
			rest = rest[2:]
			continue
		}
		length := int(binary.BigEndian.Uint16(rest[2:]))
		if rest[0] != 0xFF || rest[1] == 0xDA || length < 2 || len(rest) < 2+length {
			return 1
		}
		if rest[1] == 0xE1 {
			if note, ok := bytes.CutPrefix(rest[4:2+length], []byte("Exif\x00\x00")); ok {
				return exifOrientation(note)
			}
		}
		rest = rest[2+length:]
	}
	return 1
}

func exifOrientation(note []byte) int {
	if len(note) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if note[0] == 'M' {
		order = binary.BigEndian
	}
	at := order.Uint32(note[4:])
	if uint64(at)+2 > uint64(len(note)) {
		return 1
	}
	entries := note[at+2:]
	for range order.Uint16(note[at:]) {
		if len(entries) < 12 {
			return 1
		}
		if order.Uint16(entries) == 274 {
			if turn := int(order.Uint16(entries[8:])); turn >= 1 && turn <= 8 {
				return turn
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}
