package files

// This file: files on disk, one directory each: what it is (file.json), its bytes
// (content), its narrower pictures (w320). What is deleted leaves a mark, so that a
// drawn file does not come back.

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/google/uuid"

	api "equipment-platform/gen/filesapi"
)

var (
	errUnknown = errors.New("no such file")
	errGone    = errors.New("the file was deleted")
)

const (
	description = "file.json"
	bytesName   = "content"
	goneName    = "gone"
)

// store is a directory.
type store struct{ dir string }

func (s store) path(id uuid.UUID, name string) string {
	text := id.String()
	return filepath.Join(s.dir, text[:2], text, name)
}

// put writes the bytes first: a file that is described is whole.
func (s store) put(file api.StoredFile, content []byte) error {
	if err := s.write(s.path(file.ID, bytesName), content); err != nil {
		return err
	}
	return s.describe(file)
}

func (s store) describe(file api.StoredFile) error {
	raw, err := json.Marshal(file)
	if err != nil {
		return err
	}
	return s.write(s.path(file.ID, description), raw)
}

// file reads what a file is; errUnknown or errGone when there is none (any more).
func (s store) file(id uuid.UUID) (file api.StoredFile, err error) {
	raw, err := os.ReadFile(s.path(id, description))
	if errors.Is(err, fs.ErrNotExist) {
		if _, gone := os.Stat(s.path(id, goneName)); gone == nil {
			return file, errGone
		}
		return file, errUnknown
	}
	if err != nil {
		return file, err
	}
	return file, json.Unmarshal(raw, &file)
}

func (s store) content(id uuid.UUID) ([]byte, error) { return os.ReadFile(s.path(id, bytesName)) }

func (s store) thumbnail(id uuid.UUID, width int) ([]byte, error) {
	return os.ReadFile(s.path(id, "w"+strconv.Itoa(width)))
}

func (s store) putThumbnail(id uuid.UUID, width int, content []byte) error {
	return s.write(s.path(id, "w"+strconv.Itoa(width)), content)
}

// remove takes everything of a file away but the mark.
func (s store) remove(id uuid.UUID) error {
	if err := s.write(s.path(id, goneName), nil); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.path(id, ""))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() != goneName {
			err = errors.Join(err, os.Remove(s.path(id, entry.Name())))
		}
	}
	return err
}

// writable makes a directory where there is none and reports why it cannot be
// written to: not the first upload should find out.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".part-")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// write makes a file whole or not at all.
func (s store) write(path string, content []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(dir, ".part-")
	if err != nil {
		return err
	}
	_, err = temporary.Write(content)
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
	}
	return err
}
