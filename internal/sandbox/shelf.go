package sandbox

// This file: the shelf.

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"equipment-platform/gen/providerapi"
)

// shelfName makes a name with an extension, which may come with or without its
// dot.
func shelfName(extension *string) string {
	if value(extension) == "" {
		return newID()
	}
	return newID() + "." + strings.TrimPrefix(*extension, ".")
}

// maxFile is the largest file that fits on the shelf.
const maxFile = 400 << 20

// ShelfUpload keeps a whole file.
func (s *Sandbox) ShelfUpload(_ context.Context, r providerapi.ShelfUploadRequestObject) (providerapi.ShelfUploadResponseObject, error) {
	data, err := s.read(r.Body)
	if err != nil {
		return nil, err
	}
	name := shelfName(r.Params.FileExtension)
	s.store.shelf[name] = &file{name: name, data: data}
	return providerapi.ShelfUpload200TextResponse(name), nil
}

// ShelfUploadPartInit keeps part 0 and names the file.
func (s *Sandbox) ShelfUploadPartInit(_ context.Context, r providerapi.ShelfUploadPartInitRequestObject) (providerapi.ShelfUploadPartInitResponseObject, error) {
	data, err := s.read(r.Body)
	if err != nil {
		return nil, err
	}
	f := &file{name: shelfName(r.Params.FileExtension), part: map[int][]byte{0: data}}
	s.store.shelf[f.name] = f
	if value(r.Params.IsLastPart) {
		f.join(0)
	}
	return providerapi.ShelfUploadPartInit200TextResponse(f.name), nil
}

// ShelfUploadPart keeps a part; with the last one it answers which are missing.
func (s *Sandbox) ShelfUploadPart(_ context.Context, r providerapi.ShelfUploadPartRequestObject) (providerapi.ShelfUploadPartResponseObject, error) {
	data, err := s.read(r.Body)
	if err != nil {
		return nil, err
	}
	f := s.store.shelf[r.Params.FileName]
	if f == nil {
		return nil, fail(http.StatusNotFound, "File %s is not on the shelf", r.Params.FileName)
	}
	if f.part == nil {
		return nil, fail(http.StatusConflict, "File %s is complete", r.Params.FileName)
	}
	index := int(r.Params.PartIndex)
	size := len(data)
	for i, p := range f.part {
		if i != index {
			size += len(p)
		}
	}
	if index < 0 || size > maxFile {
		return nil, fail(http.StatusBadRequest, "The file is larger than %d bytes, or the part's number is negative", maxFile)
	}
	f.part[index] = data
	if !value(r.Params.IsLastPart) {
		return providerapi.ShelfUploadPart200TextResponse(f.name), nil
	}
	missing, err := json.Marshal(f.join(index))
	return providerapi.ShelfUploadPart200TextResponse(missing), err
}

// join makes a file of its parts when none up to last is missing, and returns
// the missing ones.
func (f *file) join(last int) []int {
	missing := []int{}
	for i := range last + 1 {
		if _, ok := f.part[i]; !ok {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		parts := make([][]byte, 0, last+1)
		for i := range last + 1 {
			parts = append(parts, f.part[i])
		}
		f.data, f.part = slices.Concat(parts...), nil
	}
	return missing
}

// ShelfDownload answers a file.
func (s *Sandbox) ShelfDownload(_ context.Context, r providerapi.ShelfDownloadRequestObject) (providerapi.ShelfDownloadResponseObject, error) {
	f := s.store.shelf[r.Params.FileName]
	if f == nil || f.part != nil {
		return nil, fail(http.StatusNotFound, "File %s is not on the shelf", r.Params.FileName)
	}
	return providerapi.ShelfDownload200AsteriskResponse{FileAsteriskResponse: fileAnswer(f.data, "application/octet-stream", f.name)}, nil
}
