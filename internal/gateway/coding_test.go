package gateway_test

// This file: upstreams that compress what nobody asked them to compress (contract 8.16).

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// packers make the codings, by the value of Content-Encoding.
var packers = map[string]func(io.Writer) io.WriteCloser{
	"gzip":    newGzipWriter,
	"X-Gzip":  newGzipWriter,
	"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	"br":      func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, brotli.BestSpeed) },
	"zstd":    newZstdWriter,
}

func newGzipWriter(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }

func newZstdWriter(w io.Writer) io.WriteCloser {
	packer, err := zstd.NewWriter(w)
	must(err)
	return packer
}

func newRawDeflateWriter(w io.Writer) io.WriteCloser {
	packer, err := flate.NewWriter(w, flate.BestSpeed)
	must(err)
	return packer
}

func packed(t testing.TB, packer func(io.Writer) io.WriteCloser, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := packer(&b)
	_, err := w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// answerCoded makes the upstream answer with a coding.
func (r *recorder) answerCoded(status int, coding, contentType string, body []byte) {
	r.answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", coding)
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(status)
		_, _ = w.Write(body)
	})
}

const filePath = api + "/messages/entity-content?messageId=m&entityId=e"

func TestCodedAnswers(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	document, content := []byte(`{"BoxId":"b","Title":"`+strings.Repeat("long ", 1000)+`"}`), []byte(strings.Repeat("%PDF \x00\xfe", 50_000))
	cases := map[string]struct {
		coding string
		pack   func([]byte) []byte
	}{
		"raw deflate": {"deflate", func(p []byte) []byte { return packed(t, newRawDeflateWriter, p) }},
		"two codings": {"gzip, br", func(p []byte) []byte { return packed(t, packers["br"], packed(t, packers["gzip"], p)) }},
		"identity":    {"identity", func(p []byte) []byte { return p }},
		"two gzip parts": {"gzip", func(p []byte) []byte {
			return append(packed(t, packers["gzip"], p[:5]), packed(t, packers["gzip"], p[5:])...)
		}},
	}
	for coding, packer := range packers {
		cases[coding] = struct {
			coding string
			pack   func([]byte) []byte
		}{coding, func(p []byte) []byte { return packed(t, packer, p) }}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b.upstream.answerCoded(200, c.coding, "application/json", c.pack(document))
			got := b.call("GET", api+"/boxes", "")
			require.Equal(t, 200, got.StatusCode, string(got.body))
			require.Equal(t, strings.Repeat("long ", 1000), at(exact(t, got.body), "Title"))
			calls, _ := b.upstream.take()
			require.Equal(t, []string{"identity"}, calls[0].Header.Values("Accept-Encoding"), "nobody asked")

			b.upstream.answerCoded(200, c.coding, "text/plain", c.pack([]byte("name-1")))
			text := b.call("POST", api+"/shelves", "x", "Content-Type", "application/octet-stream")
			require.Equal(t, "name-1", string(text.body))

			b.upstream.answerCoded(404, c.coding, "text/plain", c.pack([]byte("Box unknown")))
			require.Equal(t, "Box unknown", b.call("GET", api+"/boxes", "").problem(t, 404, "not_found").Message)

			b.upstream.answerCoded(200, c.coding, "application/pdf", c.pack(content))
			require.Equal(t, content, b.call("GET", filePath, "").body, "Go's client asks for gzip and unpacks it")
			for _, accepted := range []string{"identity", "*;q=0", strings.ToLower(c.coding) + ";q=0, lzma"} {
				file := b.call("GET", filePath, "", "Accept-Encoding", accepted)
				require.Equal(t, content, file.body, accepted)
				require.Empty(t, file.Header.Values("Content-Encoding"))
				require.Contains(t, file.Header.Values("Vary"), "Accept-Encoding")
			}
			for _, accepted := range []string{"lzma, " + c.coding, "*", "*;q=0, " + c.coding + ";q=0.5"} {
				file := b.call("GET", filePath, "", "Accept-Encoding", accepted)
				switch name {
				case "identity", "two codings":
					require.Equal(t, content, file.body)
				default:
					require.Equal(t, c.pack(content), file.body, "the upstream's bytes")
					require.Equal(t, strings.ToLower(c.coding), file.Header.Get("Content-Encoding"))
					require.EqualValues(t, len(file.body), file.ContentLength)
				}
			}
		})
	}
}

// TestCodedWaiting: nothing is nothing in any coding.
func TestCodedWaiting(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for _, status := range []int{204, 200} {
		for _, path := range []string{api + "/documents/protocol?messageId=m&entityId=e", api + "/documents/print-form?messageId=m&entityId=e"} {
			b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(status)
			})
			got := b.call("GET", path, "")
			require.Equal(t, []any{204, "7"}, []any{got.StatusCode, got.Header.Get("Retry-After")}, string(got.body))
		}
	}
}

// TestBrokenCodings: what cannot be unpacked is a failure of the upstream, and a
// file that breaks off does not look whole.
func TestBrokenCodings(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	document := []byte(`{"BoxId":"b","Title":"` + strings.Repeat("x", 100) + `"}`)
	for coding, packer := range packers {
		whole := packed(t, packer, document)
		for name, body := range map[string][]byte{"not that coding": document, "cut": whole[:len(whole)-5]} {
			b.upstream.answerCoded(200, coding, "application/json", body)
			b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
			require.NotContains(t, b.logs.String(), "panic", name)
		}
		big := packed(t, packer, bytes.Repeat([]byte("0123456789 pseudo random: "+coding), 100_000))
		b.upstream.answerCoded(200, coding, "application/pdf", big[:len(big)-5])
		resp, err := http.DefaultTransport.RoundTrip(b.request("GET", filePath, nil, "Accept-Encoding", "identity"))
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		require.Error(t, err, coding)
		require.NoError(t, resp.Body.Close())
	}
	for _, coding := range []string{"compress", "gzip, gzip, gzip"} {
		b.upstream.answerCoded(200, coding, "application/json", document)
		b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
		b.upstream.answerCoded(200, coding, "application/pdf", document)
		b.call("GET", filePath, "", "Accept-Encoding", "identity").problem(t, 502, "upstream_failed")
		b.upstream.answerCoded(409, coding, "text/plain", document)
		require.Equal(t, "The state at the provider does not allow it.", b.call("GET", api+"/boxes", "").problem(t, 409, "conflict").Message)
	}
}

// TestUnpackedBytesAreBounded: a few packed kilobytes must not become gigabytes.
func TestUnpackedBytesAreBounded(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for coding, packer := range packers {
		var bomb bytes.Buffer
		w := packer(&bomb)
		for range 65 {
			_, err := w.Write(bytes.Repeat([]byte(" "), mib))
			require.NoError(t, err)
		}
		_, err := w.Write([]byte(`{"BoxId":"b"}`))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		b.upstream.answerCoded(200, coding, "application/json", bomb.Bytes())
		b.call("GET", api+"/boxes", "").problem(t, 502, "upstream_failed")
	}
}
