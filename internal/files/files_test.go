package files_test

// The stand-in as the web app uses it: over HTTP, with real tokens, and the event on
// a real broker.

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/embedded"
	"equipment-platform/internal/files"
	"equipment-platform/openapi"
)

// bench is a running stand-in with its callers.
type bench struct {
	edgetest.Client
	key    *auth.DevKey
	dir    string
	kafka  config.Kafka
	broker *embedded.Broker
}

func start(t *testing.T) bench {
	t.Helper()
	b := bench{dir: t.TempDir()}
	var err error
	b.key, err = auth.LoadDevKey(filepath.Join(b.dir, "dev.pem"))
	require.NoError(t, err)
	jwks := filepath.Join(b.dir, "jwks.json")
	require.NoError(t, b.key.WriteJWKS(jwks))
	b.broker, err = embedded.StartBroker(t.Context(), embedded.BrokerOptions{})
	require.NoError(t, err)
	t.Cleanup(b.broker.Stop)
	settings, err := config.From[config.Sandbox](map[string]string{
		"AUTH_JWKS_URL": "file://" + jwks, "FILES_DIR": filepath.Join(b.dir, "files"), "KAFKA_BROKERS": b.broker.Address(),
	})
	require.NoError(t, err)
	b.kafka = settings.Kafka
	server, err := files.New(files.Options{
		Dir: settings.FilesDir, Auth: settings.Auth(), Edge: settings.Edge, Kafka: settings.Kafka, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	go server.Run(ctx)
	listener := httptest.NewServer(server)
	t.Cleanup(listener.Close)
	spec, err := openapi.Load(openapi.Files)
	require.NoError(t, err)
	contract, err := edgetest.NewContract(spec)
	require.NoError(t, err)
	b.Client = edgetest.Client{Base: listener.URL, Contract: contract}
	return b
}

func (b bench) caller(t *testing.T, subject string, roles ...string) edgetest.Client {
	t.Helper()
	token, err := b.key.Sign(auth.DevClaims{Subject: subject, Roles: roles, TTL: time.Hour})
	require.NoError(t, err)
	return b.As(token)
}

const vehicle = "2d6f1c3e-54d0-4a39-9d5a-0c7f0c1f2b11"

// upload sends bytes as a browser does, under whatever type it takes them for.
func upload(t *testing.T, c edgetest.Client, content []byte, query string) edgetest.Answer {
	t.Helper()
	target := c.Base + "/api/v1/files?entityType=EQUIPMENT&entityId=" + vehicle + query
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, target, bytes.NewReader(content))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "image/png")
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	return c.Send(t, request)
}

// photo is a picture whose left half is red and whose right half is green.
func photo(t *testing.T, width, height int) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			picture.Set(x, y, color.RGBA{R: 200, A: 255})
			if x >= width/2 {
				picture.Set(x, y, color.RGBA{G: 200, A: 255})
			}
		}
	}
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, picture, nil))
	return out.Bytes()
}

// held is a JPEG file with the note that the camera was held as said.
func held(content []byte, orientation byte) []byte {
	note := "\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(orientation) + "\x00\x00\x00\x00\x00\x00"
	return append([]byte("\xff\xd8"+note), content[2:]...)
}

func TestAFileComesBackAsItIs(t *testing.T) {
	t.Parallel()
	b := start(t)
	owner := b.caller(t, "owner-01", "USER")
	content := photo(t, 800, 400)
	stored := upload(t, owner, content, "&fileName="+url.QueryEscape("слева.jpg")+"&description=Left%20side").Is(http.StatusCreated)
	id := stored.Text("id")
	require.Equal(t, "/api/v1/files/"+id, stored.Header.Get("Location"))
	require.Equal(t, "image/jpeg", stored.Text("contentType"), "by its bytes, not by what was said")
	require.Equal(t, "owner-01", stored.Text("uploaderUserId"))
	require.Equal(t, json.Number("800"), stored.Field("width"))

	read := b.Do(t, http.MethodGet, "/api/v1/files/"+id, nil).Is(http.StatusOK)
	require.Equal(t, content, read.Body)
	require.Equal(t, "image/jpeg", read.Header.Get("Content-Type"))
	require.Equal(t, "nosniff", read.Header.Get("X-Content-Type-Options"))
	require.Contains(t, read.Header.Get("Cache-Control"), "immutable")
	require.True(t, strings.HasPrefix(read.Header.Get("Content-Disposition"), "inline; filename*=utf-8''%D1%81"), read.Header)

	for range 2 { // made, then kept
		narrow := b.Do(t, http.MethodGet, "/api/v1/files/"+id+"?width=320", nil).Is(http.StatusOK)
		config, kind, err := image.DecodeConfig(bytes.NewReader(narrow.Body))
		require.NoError(t, err)
		require.Equal(t, "jpeg 320x160", kind+" "+size(config))
		require.Equal(t, "image/jpeg", narrow.Header.Get("Content-Type"))
	}
	wide := b.Do(t, http.MethodGet, "/api/v1/files/"+id+"?width=1920", nil).Is(http.StatusOK)
	config, _, err := image.DecodeConfig(bytes.NewReader(wide.Body))
	require.NoError(t, err)
	require.Equal(t, "800x400", size(config), "never widened")
	b.Do(t, http.MethodGet, "/api/v1/files/"+id+"?width=321", nil).Fails(http.StatusBadRequest, "validation_failed", "width")
}

func size(c image.Config) string { return fmt.Sprintf("%dx%d", c.Width, c.Height) }

func TestNarrowerPicturesAreUpright(t *testing.T) {
	t.Parallel()
	b := start(t)
	owner := b.caller(t, "owner-01", "USER")
	stored := upload(t, owner, held(photo(t, 800, 400), 6), "").Is(http.StatusCreated)
	require.Equal(t, json.Number("400"), stored.Field("width"), "the camera was held upright")
	read := b.Do(t, http.MethodGet, "/api/v1/files/"+stored.Text("id")+"?width=160", nil).Is(http.StatusOK)
	picture, err := jpeg.Decode(bytes.NewReader(read.Body))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 160, 320), picture.Bounds())
	red, green, _, _ := picture.At(80, 20).RGBA()
	require.Greater(t, red, green, "what was left is on top")
}

func TestOnlyImagesAndPDF(t *testing.T) {
	t.Parallel()
	b := start(t)
	owner := b.caller(t, "owner-01", "USER")
	document := upload(t, owner, []byte("%PDF-1.7\n%%EOF"), "").Is(http.StatusCreated)
	require.Equal(t, "application/pdf", document.Text("contentType"))
	b.Do(t, http.MethodGet, "/api/v1/files/"+document.Text("id")+"?width=320", nil).Fails(http.StatusNotFound, "not_found")
	transparent := image.NewNRGBA(image.Rect(0, 0, 400, 400))
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, transparent))
	drawing := upload(t, owner, out.Bytes(), "").Is(http.StatusCreated)
	narrow := b.Do(t, http.MethodGet, "/api/v1/files/"+drawing.Text("id")+"?width=160", nil).Is(http.StatusOK)
	require.Equal(t, "image/png", narrow.Header.Get("Content-Type"), "what is transparent stays so")
	webp, err := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
	require.NoError(t, err)

	upload(t, owner, []byte("<html><script>alert(1)</script>"), "").Fails(http.StatusUnsupportedMediaType, "unsupported_media_type")
	upload(t, owner, []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "").Fails(http.StatusUnsupportedMediaType, "unsupported_media_type")
	upload(t, owner, photo(t, 64, 64)[:200], "").Fails(http.StatusUnprocessableEntity, "image_invalid")
	upload(t, owner, webp[:20], "").Fails(http.StatusUnprocessableEntity, "image_invalid")
	upload(t, owner, bomb(t), "").Fails(http.StatusUnprocessableEntity, "image_too_large")
	upload(t, owner, append([]byte("%PDF-1.7\n"), make([]byte, 20<<20)...), "").Fails(http.StatusRequestEntityTooLarge, "payload_too_large")
	upload(t, b.Client, photo(t, 64, 64), "").Fails(http.StatusUnauthorized, "unauthorized")
}

// bomb is a small PNG file that says it has 100 megapixels.
func bomb(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewPaletted(image.Rect(0, 0, 10_000, 10_000), color.Palette{color.Black})))
	return out.Bytes()
}

func TestTheUploaderAndAdministratorsDelete(t *testing.T) {
	t.Parallel()
	b := start(t)
	owner, stranger, admin := b.caller(t, "owner-01", "USER"), b.caller(t, "owner-02", "USER"), b.caller(t, "admin-01", "ADMIN")
	first := upload(t, owner, photo(t, 64, 64), "").Is(http.StatusCreated).Text("id")
	second := upload(t, owner, photo(t, 64, 64), "").Is(http.StatusCreated).Text("id")
	kept := upload(t, owner, photo(t, 64, 64), "").Is(http.StatusCreated).Text("id")

	stranger.Do(t, http.MethodDelete, "/api/v1/files/"+first, nil).Fails(http.StatusForbidden, "forbidden")
	stranger.Do(t, http.MethodPatch, "/api/v1/files/"+first, map[string]string{"description": "x"}).Fails(http.StatusForbidden, "forbidden")
	require.Equal(t, "Boom", owner.Do(t, http.MethodPatch, "/api/v1/files/"+kept, map[string]string{"description": "Boom"}).Is(http.StatusOK).Text("description"))
	owner.Do(t, http.MethodDelete, "/api/v1/files/"+first, nil).Is(http.StatusNoContent)
	admin.Do(t, http.MethodDelete, "/api/v1/files/"+second, nil).Is(http.StatusNoContent)
	b.Do(t, http.MethodGet, "/api/v1/files/"+first, nil).Fails(http.StatusNotFound, "not_found")
	owner.Do(t, http.MethodDelete, "/api/v1/files/"+first, nil).Fails(http.StatusNotFound, "not_found")
	var left []struct{ ID, Description string }
	b.Do(t, http.MethodGet, "/api/v1/files?id="+first+"&id="+kept+"&id="+uuid.NewString(), nil).Is(http.StatusOK).JSON(&left)
	require.Len(t, left, 1)
	require.Equal(t, "Boom", left[0].Description)

	client, err := kgo.NewClient(kgo.SeedBrokers(b.kafka.Brokers...), kgo.ConsumeTopics(b.kafka.TopicFileDeleted))
	require.NoError(t, err)
	t.Cleanup(client.Close)
	gone := map[string]string{}
	for len(gone) < 2 {
		fetches := client.PollFetches(t.Context())
		require.NoError(t, fetches.Err())
		fetches.EachRecord(func(record *kgo.Record) {
			var event struct{ EntityType, EntityID, FileID string }
			require.NoError(t, json.Unmarshal(record.Value, &event))
			gone[event.FileID] = event.EntityType + " " + event.EntityID
		})
	}
	require.Equal(t, map[string]string{first: "EQUIPMENT " + vehicle, second: "EQUIPMENT " + vehicle}, gone)
}

func TestWithoutTheBrokerNothingIsDeleted(t *testing.T) {
	t.Parallel()
	b := start(t)
	owner := b.caller(t, "owner-01", "USER")
	id := upload(t, owner, photo(t, 64, 64), "").Is(http.StatusCreated).Text("id")
	b.broker.Stop()
	owner.Do(t, http.MethodDelete, "/api/v1/files/"+id, nil).Fails(http.StatusServiceUnavailable, "overloaded")
	b.Do(t, http.MethodGet, "/api/v1/files/"+id, nil).Is(http.StatusOK)
}

func TestADirectoryThatCannotBeWrittenStopsTheStart(t *testing.T) {
	t.Parallel()
	b := start(t)
	file := filepath.Join(b.dir, "jwks.json")
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		_, err := files.New(files.Options{Dir: dir, Auth: config.Auth{JWKSURL: "file://" + file}, Log: slog.New(slog.DiscardHandler)})
		require.ErrorContains(t, err, "FILES_DIR")
	}
}
