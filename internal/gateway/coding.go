package gateway

// This file: content codings. Upstreams are asked for none, so that the lengths
// and bytes of files stay theirs; what comes coded all the same is understood
// (contract 8.16).

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

const (
	// maxCodings bounds the codings of one answer: each multiplies what the last made.
	maxCodings = 2
	// maxZstdWindow is the largest window that RFC 9659 allows for this coding.
	maxZstdWindow = 8 << 20
)

// decoders are the codings that are understood (RFC 9110, 8.4.1).
var decoders = map[string]func(*bufio.Reader) (io.Reader, error){
	"gzip":    newGzipReader,
	"x-gzip":  newGzipReader,
	"deflate": newDeflateReader,
	"br":      func(packed *bufio.Reader) (io.Reader, error) { return brotli.NewReader(packed), nil },
	"zstd":    newZstdReader,
}

func newGzipReader(packed *bufio.Reader) (io.Reader, error) { return gzip.NewReader(packed) }

// newDeflateReader reads the zlib format that the name stands for, and the bare
// one that some servers send under it.
func newDeflateReader(packed *bufio.Reader) (io.Reader, error) {
	head, err := packed.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(packed)
	}
	return flate.NewReader(packed), nil
}

func newZstdReader(packed *bufio.Reader) (io.Reader, error) {
	// one goroutine, and only while there is something to read
	return zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
}

// codingsOf lists the codings of an answer, in the order in which they were
// applied.
func codingsOf(header http.Header) []string {
	var out []string
	for _, value := range header.Values("Content-Encoding") {
		for coding := range strings.SplitSeq(value, ",") {
			if coding = strings.ToLower(strings.TrimSpace(coding)); coding != "" && coding != "identity" {
				out = append(out, coding)
			}
		}
	}
	return out
}

// unpack undoes the codings of an answer. What its body is worth shows when it
// is read.
func unpack(resp *http.Response) error {
	codings := codingsOf(resp.Header)
	if len(codings) == 0 {
		return nil
	}
	if len(codings) > maxCodings {
		return unusable(resp, fmt.Errorf("the answer has %d content codings", len(codings)))
	}
	for _, coding := range slices.Backward(codings) {
		open := decoders[coding]
		if open == nil {
			return unusable(resp, errors.New("the answer has an unknown content coding"))
		}
		resp.Body = &unpackedBody{packed: resp.Body, open: open}
	}
	resp.Header.Del("Content-Encoding")
	resp.ContentLength = -1
	return nil
}

// unpackedBody undoes one coding. It opens the decoder at the first read: an empty
// body is empty in any coding.
type unpackedBody struct {
	packed io.ReadCloser
	open   func(*bufio.Reader) (io.Reader, error)
	reader io.Reader
}

func (b *unpackedBody) Read(p []byte) (n int, err error) {
	if b.reader == nil {
		packed := bufio.NewReader(b.packed)
		if _, err := packed.Peek(1); err != nil {
			return 0, err
		}
		if b.reader, err = b.open(packed); err != nil {
			return 0, brokenCoding(err)
		}
	}
	n, err = b.reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = brokenCoding(err)
	}
	return n, err
}

// brokenCoding breaks off the caller's connection as answerBody does: the decoder
// sees damage that the transport does not.
func brokenCoding(err error) error {
	return fmt.Errorf("%w: content coding: %w", http.ErrAbortHandler, err)
}

func (b *unpackedBody) Close() error {
	if decoder, ok := b.reader.(*zstd.Decoder); ok {
		decoder.Close()
	}
	return b.packed.Close()
}

// accepts reports whether a caller's Accept-Encoding names a coding. Without the
// header it does not: who asks for nothing is rarely ready to unpack (RFC 9110,
// 12.5.3, allows either).
func accepts(acceptEncoding, coding string) bool {
	accepted := false
	for item := range strings.SplitSeq(strings.ToLower(acceptEncoding), ",") {
		name, parameters, _ := strings.Cut(item, ";")
		_, weight, weighted := strings.Cut(parameters, "q=")
		q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
		wanted := !weighted || err == nil && q > 0
		switch strings.TrimSpace(name) {
		case coding:
			return wanted
		case "*":
			accepted = wanted
		}
	}
	return accepted
}
