package sandbox

// This file: what the sandbox remembers, and the lookups that every group of
// operations shares. Values of the API that are kept here are replaced as a
// whole and never changed in place.

import (
	"context"
	"encoding/base64"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"equipment-platform/gen/exchangeapi"
)

// organization has one box.
type organization struct {
	id, inn, kpp, name, boxID, boxGUID string
	partners                           map[string]partnership // by the other's box
	departments                        []exchangeapi.DepartmentsDepartment
	employees                          []exchangeapi.EmployeesEmployee
	subscriptions                      map[string][]exchangeapi.Subscription            // by user
	powers                             map[string][]exchangeapi.EmployeePowerOfAttorney // by user
	pairs                              map[string]string
	signers                            map[string]exchangeapi.ExtendedSignerDetails
	groups                             []exchangeapi.CounteragentGroup
	partnerEvents                      []exchangeapi.BoxCounteragentEvent
}

// partnership is how one organization stands to another.
type partnership struct {
	status                 string // CounteragentStatus
	changed                time.Time
	fromPartner, toPartner string
	groupID                string
}

// file is a document's or entity's bytes; never changed once kept.
type file struct {
	name string
	data []byte
	part map[int][]byte // of an upload in parts that is not finished
}

// task is something that takes a few polls.
type task struct {
	kind   string
	polls  int
	box    string
	result any
}

type store struct {
	tokens        map[string]user
	organizations []*organization
	messages      map[string]*message
	order         []*message // as they came
	events        []*event
	operations    map[string]any // operationId to its first answer
	shelf         map[string]*file
	tasks         map[string]*task
	waits         map[string]int                         // what was asked for while it was not ready
	powers        map[string]exchangeapi.PowerOfAttorney // by registration number
	forwarded     []exchangeapi.ForwardedDocument
	forwardedTo   []string // box of each
}

// organizationOf finds the organization of a box.
func (s *Sandbox) organizationOf(box string) *organization {
	for _, o := range s.store.organizations {
		if o.boxID == box || o.boxGUID == box {
			return o
		}
	}
	return nil
}

// mine finds the organization of a box that the user may act in: 404 when
// there is no such box, 403 when it is another's.
func (s *Sandbox) mine(ctx context.Context, box string) (*organization, error) {
	o := s.organizationOf(box)
	if o == nil {
		return nil, fail(http.StatusNotFound, "Box %s is unknown", box)
	}
	if !slices.Contains(userOf(ctx).boxes, o.boxID) {
		return nil, fail(http.StatusForbidden, "No access to box %s", box)
	}
	return o, nil
}

// read takes a body in without holding the lock.
func (s *Sandbox) read(body io.Reader) ([]byte, error) {
	s.mu.Unlock()
	defer s.mu.Lock()
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, fail(http.StatusBadRequest, "The body could not be read to its end")
	}
	return data, nil
}

// content takes bytes from a body that inlines them or names them on the
// shelf.
func (s *Sandbox) content(inline, onShelf *string) ([]byte, error) {
	switch {
	case inline != nil && *inline != "":
		data, err := base64.StdEncoding.DecodeString(*inline)
		if err != nil {
			return nil, fail(http.StatusBadRequest, "Content is not Base64")
		}
		return data, nil
	case onShelf != nil && *onShelf != "":
		f := s.store.shelf[*onShelf]
		if f == nil || f.part != nil {
			return nil, fail(http.StatusNotFound, "File %s is not on the shelf", *onShelf)
		}
		return f.data, nil
	default:
		return nil, nil
	}
}

// contentV3 takes bytes that are inlined, on the shelf, or those of an entity.
func (s *Sandbox) contentV3(o *organization, c exchangeapi.ContentV3) ([]byte, error) {
	if c.EntityId == nil {
		data, err := s.content(c.Content, c.NameOnShelf)
		if err == nil && data == nil {
			err = fail(http.StatusBadRequest, "Content is empty")
		}
		return data, err
	}
	_, d, err := s.findDocument(o.boxID, c.EntityId.MessageId, c.EntityId.EntityId)
	if err != nil {
		return nil, err
	}
	if id := value(c.PatchedContentId); id != "" {
		if d.patchedContents[id] == nil {
			return nil, fail(http.StatusNotFound, "Patched content %s is unknown", id)
		}
		return d.patchedContents[id], nil
	}
	return d.content, nil
}

// task finds a task of a box.
func (s *Sandbox) task(ctx context.Context, box, id, kind string) (*task, error) {
	o, err := s.mine(ctx, box)
	if err != nil {
		return nil, err
	}
	t := s.store.tasks[id]
	if t == nil || t.kind != kind || t.box != o.boxID {
		return nil, fail(http.StatusNotFound, "Task %s is unknown", id)
	}
	return t, nil
}

// again reports whether a key has been asked for before: what takes a while is
// ready at the second try.
func (s *Sandbox) again(key string) bool {
	s.store.waits[key]++
	return s.store.waits[key] > 1
}

// indexOf finds an item of a list by its id; kind is what the 404 calls it.
func indexOf[T any](list []T, kind, id string, idOf func(T) string) (int, error) {
	at := slices.IndexFunc(list, func(item T) bool { return idOf(item) == id })
	if at < 0 {
		return 0, fail(http.StatusNotFound, "%s %s is unknown", kind, id)
	}
	return at, nil
}

// replaced returns a copy of a list with another item: answers hold the list
// that was.
func replaced[T any](list []T, at int, item T) []T {
	list = slices.Clone(list)
	list[at] = item
	return list
}

// removed returns a copy of a list without an item.
func removed[T any](list []T, at int) []T { return slices.Delete(slices.Clone(list), at, at+1) }

// page cuts a list after the item whose key is after.
func page[T any](list []T, key func(T) string, after *string, limit *int32, standard, most int) ([]T, error) {
	n := standard
	if limit != nil {
		n = int(*limit)
	}
	if n < 0 || n > most {
		return nil, fail(http.StatusBadRequest, "A page has at most %d items", most)
	}
	if after != nil && *after != "" {
		at := slices.IndexFunc(list, func(item T) bool { return key(item) == *after })
		if at < 0 {
			return nil, fail(http.StatusBadRequest, "There is no item with key %s", *after)
		}
		list = list[at+1:]
	}
	return slices.Clone(list[:min(n, len(list))]), nil
}

// numbered cuts page number (from 1) out of a list.
func numbered[T any](list []T, number, count *int32, standard int) ([]T, error) {
	at, n := 1, standard
	if number != nil {
		at = int(*number)
	}
	if count != nil {
		n = int(*count)
	}
	if at < 1 || n < 1 || n > standard {
		return nil, fail(http.StatusBadRequest, "page counts from 1, count is 1..%d", standard)
	}
	from := min((at-1)*n, len(list))
	return slices.Clone(list[from:min(from+n, len(list))]), nil
}

// indexKey writes a position as the provider's opaque keys.
func indexKey(n int) string {
	text := strconv.Itoa(n)
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat("0", max(0, 12-len(text))) + text))
}

func stamp(t time.Time) exchangeapi.ProviderTimestamp {
	return exchangeapi.ProviderTimestamp{Ticks: ticks(t)}
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
