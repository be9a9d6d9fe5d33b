// Package files stands in for the platform's file service in the development
// stack and in tests: openapi/files.yaml on a directory of this machine. It is
// no part of production.
//
// This file: the operations.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	api "equipment-platform/gen/filesapi"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/sampleevents"
)

// maxBytes is the largest file; openapi/files.yaml has the same as x-body-limit.
const maxBytes = 20 << 20

// forever is for bytes that never change under their id.
const forever = "public, max-age=31536000, immutable"

var (
	errImageInvalid = edge.NewProblem(http.StatusUnprocessableEntity, "image_invalid", "The image cannot be read; it may be damaged.")
	errImageLarge   = edge.NewProblem(http.StatusUnprocessableEntity, "image_too_large", "The image has more than 40 megapixels.")
	errNotYours     = edge.NewProblem(http.StatusForbidden, "forbidden", "Only the uploader and administrators may do this.")
)

// Drawn gives files that nobody uploaded; their bytes are made when somebody asks.
type Drawn interface {
	// Describe reports what a drawn file is, and whether there is one of this id.
	Describe(id uuid.UUID) (api.StoredFile, bool)
	// Draw encodes it, at most so many pixels wide, and says its content type.
	Draw(id uuid.UUID, width int) ([]byte, string, error)
}

// drawnWidth is the width of a drawn file that is asked for without one.
const drawnWidth = 1280

// service implements the strict server of openapi/files.yaml.
type service struct {
	store     store
	publisher *sampleevents.Publisher // of deletions (contract 6.1); nil: nobody is told
	drawn     Drawn                   // nil: none
	log       *slog.Logger
	pixels    chan struct{} // bounds the images in memory
}

var _ api.StrictServerInterface = (*service)(nil)

// UploadFile keeps a file.
func (s *service) UploadFile(ctx context.Context, r api.UploadFileRequestObject) (api.UploadFileResponseObject, error) {
	content, err := io.ReadAll(io.LimitReader(r.Body, maxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("body: %w", err)
	case len(content) > maxBytes:
		return nil, edge.ErrTooLarge
	}
	size := int64(len(content))
	file := api.StoredFile{
		ID: uuid.New(), EntityType: r.Params.EntityType, EntityID: &r.Params.EntityID,
		FileName: valueOf(r.Params.FileName), Description: valueOf(r.Params.Description),
		ContentType: api.StoredFileContentType(sniff(content)), Size: &size,
		UploaderUserID: auth.FromContext(ctx).Subject, CreatedAt: time.Now().UTC().Truncate(time.Microsecond),
	}
	switch {
	case file.ContentType == "":
		return nil, edge.ErrMediaType
	case isImage(file):
		pixels, err := s.check(ctx, content)
		if err != nil {
			return nil, err
		}
		width, height := int32(pixels.X), int32(pixels.Y) //nolint:gosec // at most 40 million
		file.Width, file.Height = &width, &height
	}
	if err := s.store.put(file, content); err != nil {
		return nil, err
	}
	location := "/api/v1/files/" + file.ID.String()
	return api.UploadFile201JSONResponse{Body: file, Headers: api.UploadFile201ResponseHeaders{Location: &location}}, nil
}

// DescribeFiles says what files are.
func (s *service) DescribeFiles(_ context.Context, r api.DescribeFilesRequestObject) (api.DescribeFilesResponseObject, error) {
	found := api.DescribeFiles200JSONResponse{}
	for _, id := range r.Params.ID {
		file, err := s.find(id)
		switch {
		case err == nil:
			found = append(found, file)
		case !errors.Is(err, edge.ErrNotFound):
			return nil, err
		}
	}
	return found, nil
}

// UpdateFile says what a picture shows.
func (s *service) UpdateFile(ctx context.Context, r api.UpdateFileRequestObject) (api.UpdateFileResponseObject, error) {
	file, err := s.ownFile(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	file.Description = r.Body.Description
	if err := s.store.describe(file); err != nil {
		return nil, err
	}
	return api.UpdateFile200JSONResponse(file), nil
}

// DeleteFile first says that the file is gone, then lets it go: an event that is
// published twice does no harm, one that is never published leaves links to nothing.
func (s *service) DeleteFile(ctx context.Context, r api.DeleteFileRequestObject) (api.DeleteFileResponseObject, error) {
	file, err := s.ownFile(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	if s.publisher != nil {
		event := sampleevents.FileEvent{EntityType: string(file.EntityType), FileID: file.ID.String()}
		if file.EntityID != nil {
			event.EntityID = file.EntityID.String()
		}
		if _, err := s.publisher.File(ctx, event); err != nil {
			return nil, edge.ErrOverloaded.Because(err)
		}
	}
	if err := s.store.remove(file.ID); err != nil {
		return nil, err
	}
	return api.DeleteFile204Response{}, nil
}

// GetFile gives the bytes of a file.
func (s *service) GetFile(ctx context.Context, r api.GetFileRequestObject) (api.GetFileResponseObject, error) {
	file, err := s.find(r.ID)
	if err != nil {
		return nil, err
	}
	answer := content{name: file.FileName, contentType: string(file.ContentType)}
	width := int(valueOf(r.Params.Width))
	switch _, drawn := s.drawnFile(r.ID); {
	case drawn && width == 0:
		answer.bytes, answer.contentType, err = s.narrowed(ctx, file, drawnWidth)
	case width == 0:
		answer.bytes, err = s.store.content(file.ID)
	case !isImage(file):
		return nil, edge.ErrNotFound
	default:
		answer.bytes, answer.contentType, err = s.narrowed(ctx, file, width)
	}
	return answer, err
}

// narrowed gives a picture of a width: made once, then kept.
func (s *service) narrowed(ctx context.Context, file api.StoredFile, width int) ([]byte, string, error) {
	if kept, err := s.store.thumbnail(file.ID, width); err == nil {
		return kept, sniff(kept), nil
	}
	if err := s.acquire(ctx); err != nil {
		return nil, "", err
	}
	defer s.release()
	var made []byte
	var contentType string
	var err error
	if _, drawn := s.drawnFile(file.ID); drawn {
		made, contentType, err = s.drawn.Draw(file.ID, width)
	} else {
		var original []byte
		if original, err = s.store.content(file.ID); err == nil {
			made, contentType, err = narrow(original, width)
		}
	}
	if err != nil {
		return nil, "", err
	}
	if err := s.store.putThumbnail(file.ID, width, made); err != nil {
		s.log.WarnContext(ctx, "a thumbnail was not kept", "file", file.ID, "error", err)
	}
	return made, contentType, nil
}

// check decodes an image once: what cannot be decoded is not taken.
func (s *service) check(ctx context.Context, content []byte) (size point, err error) {
	if err := s.acquire(ctx); err != nil {
		return point{}, err
	}
	defer s.release()
	return checkImage(content)
}

func (s *service) acquire(ctx context.Context) error {
	select {
	case s.pixels <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *service) release() { <-s.pixels }

func (s *service) drawnFile(id uuid.UUID) (api.StoredFile, bool) {
	if s.drawn == nil {
		return api.StoredFile{}, false
	}
	return s.drawn.Describe(id)
}

// find looks among the uploaded files, then among the drawn ones.
func (s *service) find(id uuid.UUID) (api.StoredFile, error) {
	file, err := s.store.file(id)
	if errors.Is(err, errUnknown) {
		if drawn, ok := s.drawnFile(id); ok {
			return drawn, nil
		}
	}
	if errors.Is(err, errUnknown) || errors.Is(err, errGone) {
		return file, edge.ErrNotFound
	}
	return file, err
}

// ownFile is a file that the caller may change.
func (s *service) ownFile(ctx context.Context, id uuid.UUID) (api.StoredFile, error) {
	file, err := s.find(id)
	if err != nil {
		return file, err
	}
	if caller := auth.FromContext(ctx); file.UploaderUserID != caller.Subject && !caller.IsAdmin() {
		return file, errNotYours
	}
	return file, nil
}

func isImage(file api.StoredFile) bool { return strings.HasPrefix(string(file.ContentType), "image/") }

func valueOf[T any](p *T) T {
	if p == nil {
		var none T
		return none
	}
	return *p
}

// content is the answer with the bytes of a file.
type content struct {
	bytes             []byte
	name, contentType string
}

// VisitGetFileResponse writes the bytes so that a browser takes them for nothing else
// than what they are.
func (c content) VisitGetFileResponse(w http.ResponseWriter) error {
	h := w.Header()
	h.Set("Content-Type", c.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // pages of other origins show it
	h.Set("Cache-Control", forever)
	if c.name != "" {
		h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": c.name}))
	}
	h.Set("Content-Length", strconv.Itoa(len(c.bytes)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(c.bytes)
	return err
}
