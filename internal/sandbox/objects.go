package sandbox

// This file: the objects of the logistics, electronic waybill and transport
// upstreams, kept as they come.

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"equipment-platform/gen/logisticsapi"
	"equipment-platform/gen/transportapi"
	"equipment-platform/gen/waybillapi"
)

// object is a JSON object that the gateway passes through unread.
type object = map[string]json.RawMessage

func raw(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // only made of texts and numbers here
	}
	return data
}

// passThrough keeps objects by kind and id, in the order in which they came.
type passThrough struct {
	now     func() time.Time
	mu      sync.Mutex
	objects map[string]map[string]object
	order   []string          // kind/id
	files   map[string][]byte // the title of a transportation, by its id
	events  []object          // of transportations
}

var (
	_ logisticsapi.StrictServerInterface = (*passThrough)(nil)
	_ waybillapi.StrictServerInterface   = (*passThrough)(nil)
	_ transportapi.StrictServerInterface = (*passThrough)(nil)
)

func (p *passThrough) put(kind, id string, o object) {
	if p.objects[kind] == nil {
		p.objects[kind] = map[string]object{}
	}
	if _, known := p.objects[kind][id]; !known {
		p.order = append(p.order, kind+"/"+id)
	}
	p.objects[kind][id] = o
}

func (p *passThrough) get(kind, id string) (object, error) {
	o, ok := p.objects[kind][id]
	if !ok {
		return nil, fail(http.StatusNotFound, "%s %s is unknown", kind, id)
	}
	return o, nil
}

// change gives an object other fields; answers hold the object that was.
func (p *passThrough) change(kind, id string, fields object) {
	changed := maps.Clone(p.objects[kind][id])
	maps.Copy(changed, fields)
	p.put(kind, id, changed)
}

// list pages through the objects of a kind; `Status` narrows it.
func (p *passThrough) list(kind string, status *string, skip, take *int32) (items []object, total int) {
	items = []object{}
	for _, key := range p.order {
		id, ok := strings.CutPrefix(key, kind+"/")
		if !ok {
			continue
		}
		o := p.objects[kind][id]
		if value(status) != "" && string(o["status"]) != strconv.Quote(*status) {
			continue
		}
		items = append(items, o)
	}
	total = len(items)
	from, n := int(value(skip)), 50
	if take != nil {
		n = int(*take)
	}
	from = min(max(from, 0), total)
	return items[from:min(from+max(n, 0), total)], total
}

// parts reads a form; it must have a part of one of the names.
func parts(form *multipart.Reader, names ...string) (files [][]byte, err error) {
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fail(http.StatusBadRequest, "The form cannot be read")
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, fail(http.StatusBadRequest, "The form cannot be read")
		}
		if slices.Contains(names, part.FormName()) {
			files = append(files, data)
		}
	}
	if len(files) == 0 {
		return nil, fail(http.StatusBadRequest, "The form has no part %s", names[0])
	}
	return files, nil
}
