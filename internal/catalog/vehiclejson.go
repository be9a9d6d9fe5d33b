package catalog

// This file: vehicles as JSON text. The list of vehicles is what the service
// answers most; written by reflection its encoding costs more than its query.
// Tests hold every answer against the spec's schema.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// vehicleRow is a vehicle as it is read: its row and the ids of what belongs
// to it, in order.
type vehicleRow struct {
	id, typeID           uuid.UUID
	plate                *string
	brand, model         string
	year                 *int32
	active               bool
	owner                string
	ratingHundredths     int32
	ratingCount          int64
	version              int64
	createdAt, updatedAt time.Time
	createdBy, updatedBy string
	// arrays that pgx reads without reflection
	paramIDs     pgtype.FlatArray[uuid.UUID]
	paramValues  pgtype.FlatArray[string]
	tagIDs       pgtype.FlatArray[uuid.UUID]
	photos, docs pgtype.FlatArray[uuid.UUID]
}

// held is about what a vehicle and its JSON take in memory together.
func (v *vehicleRow) held() int64 {
	n := vehicleBytes
	for _, text := range v.paramValues {
		n += len(text)
	}
	return 2 * int64(n)
}

// appendVehicle writes a vehicle of the spec's schema Vehicle.
func appendVehicle(b []byte, v *vehicleRow, names *dictionary) ([]byte, error) {
	b = appendUUID(append(b, `{"id":`...), v.id)
	b = appendUUID(append(b, `,"equipmentTypeId":`...), v.typeID)
	b = append(b, `,"licensePlate":`...)
	if v.plate == nil {
		b = append(b, "null"...)
	} else {
		b = appendString(b, *v.plate)
	}
	b = appendString(append(b, `,"brandName":`...), v.brand)
	b = appendString(append(b, `,"modelName":`...), v.model)
	b = append(b, `,"releaseYear":`...)
	if v.year == nil {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, int64(*v.year), 10)
	}
	b = strconv.AppendBool(append(b, `,"isActive":`...), v.active)
	b = appendString(append(b, `,"ownerUserId":`...), v.owner)
	b = append(b, `,"params":[`...)
	for i, id := range v.paramIDs {
		name := names.params[id]
		if name == nil {
			return nil, fmt.Errorf("vehicle %s holds a value of param %s, which is not in dictionary %d", v.id, id, names.version)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, name.before...), v.paramValues[i]...), name.after...)
	}
	b = append(b, `],"searchTags":[`...)
	for i, first := 0, true; i < len(v.tagIDs); i++ {
		name := names.tags[v.tagIDs[i]]
		if name == nil {
			return nil, fmt.Errorf("vehicle %s has tag %s, which is not in dictionary %d", v.id, v.tagIDs[i], names.version)
		}
		if name.deleted {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		b, first = append(b, name.json...), false
	}
	b = appendUUIDs(append(b, `],"photoFileIds":`...), v.photos)
	b = appendUUIDs(append(b, `,"docFileIds":`...), v.docs)
	b = strconv.AppendFloat(append(b, `,"ratingAvg":`...), float64(v.ratingHundredths)/100, 'f', -1, 64)
	b = strconv.AppendInt(append(b, `,"ratingCount":`...), v.ratingCount, 10)
	b = strconv.AppendInt(append(b, `,"version":`...), v.version, 10)
	b = appendTime(append(b, `,"createdAt":`...), v.createdAt)
	b = appendTime(append(b, `,"updatedAt":`...), v.updatedAt)
	b = appendString(append(b, `,"createdBy":`...), v.createdBy)
	b = appendString(append(b, `,"updatedBy":`...), v.updatedBy)
	return append(b, '}'), nil
}

// appendUUID writes an id with its quotes.
func appendUUID(b []byte, id uuid.UUID) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for i, octet := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b = append(b, '-')
		}
		b = append(b, digits[octet>>4], digits[octet&15])
	}
	return append(b, '"')
}

func appendUUIDs(b []byte, ids []uuid.UUID) []byte {
	b = append(b, '[')
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendUUID(b, id)
	}
	return append(b, ']')
}

func appendTime(b []byte, t time.Time) []byte {
	b = t.UTC().AppendFormat(append(b, '"'), time.RFC3339Nano)
	return append(b, '"')
}

// appendString writes a JSON string. Text that needs no escape, nearly all of
// it, is copied; the rest is left to encoding/json.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			quoted, err := json.Marshal(s)
			if err != nil {
				return append(b, `""`...) // a string cannot fail to marshal
			}
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// vehicleAnswer is the answer 200 of the operations that show one vehicle.
type vehicleAnswer struct {
	etag string
	body []byte
}

func (r vehicleAnswer) write(w http.ResponseWriter) error {
	w.Header().Set("ETag", r.etag)
	return writeJSON(w, r.body)
}

func (r vehicleAnswer) VisitGetVehicleResponse(w http.ResponseWriter) error     { return r.write(w) }
func (r vehicleAnswer) VisitReplaceVehicleResponse(w http.ResponseWriter) error { return r.write(w) }
func (r vehicleAnswer) VisitUpdateVehicleResponse(w http.ResponseWriter) error  { return r.write(w) }

// vehiclesAnswer is the answer 200 of the operations that show many. Its body is
// written once: where it is written to, it was made.
type vehiclesAnswer struct{ body *[]byte }

func (r vehiclesAnswer) VisitListVehiclesResponse(w http.ResponseWriter) error   { return r.write(w) }
func (r vehiclesAnswer) VisitSearchVehiclesResponse(w http.ResponseWriter) error { return r.write(w) }

func (r vehiclesAnswer) write(w http.ResponseWriter) error {
	defer r.release()
	return writeJSON(w, *r.body)
}

// pages are the buffers of answers that went out. Making a new one for each, and
// clearing it, costs as much as a third of the encoding.
var pages = sync.Pool{New: func() any { return new([]byte) }}

// maxPage bounds the buffers that are kept: a page of a hundred usual vehicles.
const maxPage = 128 + 100*vehicleBytes

// newPage is an empty buffer with room for so many vehicles.
func newPage(vehicles int) *[]byte {
	page, _ := pages.Get().(*[]byte)
	*page = slices.Grow((*page)[:0], 128+vehicleBytes*vehicles)
	return page
}

// release keeps the body for another answer. Nobody may read it from then on.
func (r vehiclesAnswer) release() {
	if cap(*r.body) <= maxPage {
		pages.Put(r.body)
	}
}

func writeJSON(w http.ResponseWriter, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(body)
	return err
}
