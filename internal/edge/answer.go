package edge

// This file: how an answer leaves: its entity tag, the coding that the caller
// takes, the names of its headers as they are written on the wire, and what
// becomes of a body that nobody reads any more.
//
// Caches keep answers by their tag and give them to other readers (RFC 9110,
// 8.8.3; RFC 9111, 4.3.1). A tag that is the version alone is the same for an
// answer with a hidden photo and one without, for a vehicle before and after its
// tag was renamed, and for compressed and plain bytes: the cache would turn one
// into the other. So a tag is the version, which changes compare, and a digest of
// the very bytes, which reads compare (contract 1.3).

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"equipment-platform/internal/contract"
)

const (
	// codingFrom is the length from which an answer is compressed (contract 1.16): below it
	// the coding costs more than it saves.
	codingFrom = 1 << 10
	// digestBytes of SHA-256 are enough that two answers never meet by chance.
	digestBytes = 12
	// drainBytes and drainTime bound what is read of a body after it was refused.
	drainBytes = 80 << 20
	drainTime  = 10 * time.Second
)

// wireNames are headers whose customary spelling is not the one that net/http
// gives them. Header names have no case, but programs that keep them in a plain
// map look for these.
var wireNames = map[string]string{
	"Etag": "ETag", "Www-Authenticate": "WWW-Authenticate",
	"Ratelimit-Limit": "RateLimit-Limit", "Ratelimit-Remaining": "RateLimit-Remaining", "Ratelimit-Reset": "RateLimit-Reset",
}

// answerWriter is the ResponseWriter of every request. JSON with an ETag is held
// until it is whole; everything else goes through as it comes, JSON in the coding
// that the caller takes.
type answerWriter struct {
	http.ResponseWriter

	r       *http.Request // as it arrived
	body    *arrivingBody // the request's
	status  int           // 0: nothing was answered yet
	begun   bool          // the headers are out
	held    []byte        // of an answer with an ETag
	encoder io.WriteCloser
	size    int64  // bytes of the body on the wire
	secret  bool   // never compressed (contract 1.16)
	share   share  // of the memory of answers
	turns   *turns // at the processors
	// Of the work for the answer, and at the processors; nil: none.
	turn, computing *turn

	operation *contract.Operation // nil: of no spec, or refused before it was known
	subject   string              // of the caller's token
}

// answerOf returns the writer that observe has put there.
func answerOf(c echo.Context) *answerWriter {
	w, _ := c.Response().Writer.(*answerWriter)
	return w
}

// Unwrap lets http.ResponseController reach the connection.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *answerWriter) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	if status == http.StatusNoContent || status == http.StatusNotModified || w.r.Method == http.MethodHead {
		w.begin(status)
	}
}

// Write implements http.ResponseWriter.
func (w *answerWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	switch {
	case w.encoder != nil:
		return w.encoder.Write(p)
	case w.begun:
		return w.plain(p)
	case w.holds():
		if len(w.held) == 0 && w.Header().Get(echo.HeaderContentLength) == strconv.Itoa(len(p)) {
			return len(p), w.sendWhole(p) // nothing is copied
		}
		w.held = append(w.held, p...)
		return len(p), nil
	}
	c := w.coding(len(p))
	if c == nil {
		w.begin(w.status)
		return w.plain(p)
	}
	if h := w.Header(); h.Get(echo.HeaderContentLength) == strconv.Itoa(len(p)) {
		return len(p), w.sendCoded(c, p)
	}
	w.setCoding(c)
	w.begin(w.status)
	w.encoder = c.stream(plainWriter{w})
	return w.encoder.Write(p)
}

// plainWriter is the way behind an encoder.
type plainWriter struct{ *answerWriter }

func (w plainWriter) Write(p []byte) (int, error) { return w.plain(p) }

func (w *answerWriter) plain(p []byte) (int, error) {
	w.turn.end() // who reads slowly keeps nobody from work
	w.computing.end()
	n, err := w.ResponseWriter.Write(p)
	w.size += int64(n)
	return n, err
}

// Flush sends what is there, but never a part of an answer that is held.
func (w *answerWriter) Flush() {
	if w.status != 0 && !w.begun && !w.holds() {
		w.begin(w.status)
	}
	if f, ok := w.encoder.(interface{ Flush() error }); ok {
		_ = f.Flush() // the connection is gone
	}
	if w.begun {
		_ = http.NewResponseController(w.ResponseWriter).Flush()
	}
}

// holds reports whether the answer is one with a tag.
func (w *answerWriter) holds() bool {
	return !w.begun && w.Header().Get("ETag") != "" && w.isJSON()
}

func (w *answerWriter) isJSON() bool {
	return w.Header().Get(echo.HeaderContentType) == echo.MIMEApplicationJSON
}

// begin writes the headers.
func (w *answerWriter) begin(status int) {
	if w.begun {
		return
	}
	w.begun = true
	h := w.Header()
	for name, wire := range wireNames {
		if values, ok := h[name]; ok {
			delete(h, name)
			h[wire] = values
		}
	}
	if status >= http.StatusBadRequest && !w.body.ended.Load() {
		// or the server would wait for the rest before it sends the refusal; without a connection there is none
		_ = http.NewResponseController(w.ResponseWriter).EnableFullDuplex()
	}
	w.ResponseWriter.WriteHeader(status)
}

// finish ends the answer: what was held goes out.
func (w *answerWriter) finish(c echo.Context) {
	switch {
	case w.status == 0:
		return
	case w.encoder != nil:
		_ = w.encoder.Close() // the connection is gone
	case w.holds():
		_ = w.sendWhole(w.held)
	default:
		w.begin(w.status)
	}
	c.Response().Size = w.size
	c.Response().Status = w.status
}

// reset forgets an answer of which nothing went out, so that another one can be
// given, and reports whether it could.
func (w *answerWriter) reset(c echo.Context) bool {
	if w.begun {
		return false
	}
	w.status, w.held = 0, nil
	c.Response().Committed = false
	return true
}

// sendWhole sends a body with its tag, or says that the caller has it.
func (w *answerWriter) sendWhole(body []byte) error {
	h := w.Header()
	c := w.coding(len(body))
	tag := tagOf(h.Get("ETag"), body, c)
	h.Set("ETag", tag)
	if w.r.Method == http.MethodGet && w.status == http.StatusOK && matchesTag(w.r.Header.Values("If-None-Match"), tag) {
		h.Del(echo.HeaderContentType)
		h.Del(echo.HeaderContentLength)
		w.status = http.StatusNotModified
		w.begin(w.status)
		return nil
	}
	if c != nil {
		return w.sendCoded(c, body)
	}
	h.Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	w.begin(w.status)
	_, err := w.plain(body)
	return err
}

func (w *answerWriter) sendCoded(c *coding, body []byte) error {
	buffer := codedBuffers.Get().(*[]byte)
	defer codedBuffers.Put(buffer)
	coded := c.whole((*buffer)[:0], body)
	*buffer = coded
	w.setCoding(c)
	w.Header().Set(echo.HeaderContentLength, strconv.Itoa(len(coded)))
	w.begin(w.status)
	_, err := w.plain(coded)
	return err
}

func (w *answerWriter) setCoding(c *coding) {
	h := w.Header()
	h.Set(echo.HeaderContentEncoding, c.name)
	h.Del(echo.HeaderContentLength)
}

// coding is the one that the caller takes for an answer that begins with so many
// bytes; nil: as it is. Whoever stores the answer learns that it depends on it.
func (w *answerWriter) coding(length int) *coding {
	if !w.isJSON() || w.secret || w.Header().Get(echo.HeaderContentEncoding) != "" {
		return nil
	}
	w.Header().Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if length < codingFrom {
		return nil
	}
	return chooseCoding(w.r.Header.Values(echo.HeaderAcceptEncoding))
}

// tagOf makes the tag of a body from the version's. The coding is part of the
// bytes that a cache keeps.
func tagOf(version string, body []byte, c *coding) string {
	sum := sha256.Sum256(body)
	b := make([]byte, 0, 64)
	b = append(b, strings.TrimSuffix(version, `"`)...)
	b = append(b, '.')
	b = base64.RawURLEncoding.AppendEncode(b, sum[:digestBytes])
	if c != nil {
		b = append(append(b, '-'), c.name...)
	}
	return string(append(b, '"'))
}

// matchesTag compares If-None-Match weakly (RFC 9110, 13.1.2).
func matchesTag(headers []string, tag string) bool {
	for _, header := range headers {
		for one := range strings.SplitSeq(header, ",") {
			one = strings.TrimSpace(one)
			if one == "*" || strings.TrimPrefix(one, "W/") == tag {
				return true
			}
		}
	}
	return false
}

// drain reads the rest of a body whose request was refused, bounded in size and
// time: a connection that closes while its caller still writes is reset, and the
// caller never sees the refusal (contract 7.5).
func (w *answerWriter) drain() {
	if w.body.ended.Load() || strings.EqualFold(w.r.Header.Get("Expect"), "100-continue") {
		return // nothing comes, or only when it is asked for
	}
	control := http.NewResponseController(w.ResponseWriter)
	if control.Flush() != nil || control.SetReadDeadline(time.Now().Add(drainTime)) != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, w.body.ReadCloser, drainBytes) // the caller may be gone
}
