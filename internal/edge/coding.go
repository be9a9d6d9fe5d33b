package edge

// This file: content codings, and which of them a caller takes (RFC 9110, 12.5.3).

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// coding is a way to compress an answer, whole or as it comes.
type coding struct {
	name   string
	whole  func(dst, body []byte) []byte
	stream func(io.Writer) io.WriteCloser
}

// gzipLevel and the level of zstd were chosen by bytes against time on pages of
// vehicles: docs/performance.md.
const gzipLevel = 4

// codings in the order in which they are preferred where the caller has no
// preference.
var codings = []*coding{
	{name: "zstd", whole: func(dst, body []byte) []byte { return zstdEncoder().EncodeAll(body, dst) }, stream: func(w io.Writer) io.WriteCloser {
		e := zstdStreams.Get().(*zstd.Encoder)
		e.Reset(w)
		return pooledEncoder{e, func() { e.Reset(nil); zstdStreams.Put(e) }}
	}},
	{name: "gzip", whole: func(dst, body []byte) []byte {
		buffer := bytes.NewBuffer(dst)
		e := gzipStreams.Get().(*gzip.Writer)
		e.Reset(buffer)
		_, _ = e.Write(body) // into memory
		_ = e.Close()
		gzipStreams.Put(e)
		return buffer.Bytes()
	}, stream: func(w io.Writer) io.WriteCloser {
		e := gzipStreams.Get().(*gzip.Writer)
		e.Reset(w)
		return pooledEncoder{e, func() { gzipStreams.Put(e) }}
	}},
}

// zstdOptions keep what an encoder holds, and what a browser needs to unpack, small.
var zstdOptions = []zstd.EOption{zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1 << 20), zstd.WithLowerEncoderMem(true)}

var (
	zstdEncoder = sync.OnceValue(func() *zstd.Encoder { return newZstd() })
	zstdStreams = sync.Pool{New: func() any { return newZstd(zstd.WithEncoderConcurrency(1)) }}
	gzipStreams = sync.Pool{New: func() any {
		e, err := gzip.NewWriterLevel(nil, gzipLevel)
		if err != nil {
			panic(err) // a level that does not exist
		}
		return e
	}}
	// codedBuffers hold compressed answers while they are sent.
	codedBuffers = sync.Pool{New: func() any { return new([]byte) }}
)

func newZstd(more ...zstd.EOption) *zstd.Encoder {
	e, err := zstd.NewWriter(nil, append(zstdOptions[:len(zstdOptions):len(zstdOptions)], more...)...)
	if err != nil {
		panic(err) // options that do not exist
	}
	return e
}

// pooledEncoder goes back to its pool when it is closed.
type pooledEncoder struct {
	io.WriteCloser

	back func()
}

func (e pooledEncoder) Flush() error {
	if f, ok := e.WriteCloser.(interface{ Flush() error }); ok {
		return f.Flush()
	}
	return nil
}

func (e pooledEncoder) Close() error {
	err := e.WriteCloser.Close()
	e.back()
	return err
}

// chooseCoding returns the coding that the caller likes best; nil: none, or it
// likes the plain answer better.
func chooseCoding(accepted []string) *coding {
	var best *coding
	liking := 0.0
	weights := acceptedWeights(accepted)
	for _, c := range codings {
		q, named := weights[c.name]
		if !named {
			q = weights["*"]
		}
		if q > liking {
			best, liking = c, q
		}
	}
	if plain, named := weights["identity"]; named && plain > liking {
		return nil
	}
	return best
}

// acceptedWeights reads Accept-Encoding; what cannot be read is not taken.
func acceptedWeights(accepted []string) map[string]float64 {
	weights := map[string]float64{}
	for _, header := range accepted {
		for one := range strings.SplitSeq(header, ",") {
			name, params, _ := strings.Cut(one, ";")
			name, q := strings.ToLower(strings.TrimSpace(name)), 1.0
			if weight, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(params)), "q="); ok {
				var err error
				if q, err = strconv.ParseFloat(strings.TrimSpace(weight), 64); err != nil || !(q >= 0 && q <= 1) {
					q = 0
				}
			}
			if name != "" {
				weights[name] = q
			}
		}
	}
	return weights
}
