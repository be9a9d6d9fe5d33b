package demo

// This file: loading the catalogue through the same operations, and so the same
// rules, as the API: records with readable keys become requests with ids.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/oapi-codegen/nullable"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/catalog"
	"equipment-platform/internal/embedding"
	"equipment-platform/openapi"
)

// seedKeys marks the idempotency keys of the loader. They are kept for good, so
// that loading again answers what is there and makes nothing twice: see keep.
const seedKeys = "demo-catalogue/"

// keepLimit bounds what a loading that is stopped still does.
const keepLimit = 10 * time.Second

// orderNamespace makes the ids of demo orders, which live outside the catalog.
var orderNamespace = uuid.MustParse("6f1d3c1e-54d0-4a39-9d5a-0c7f0c1f2b11")

// orderID is the id of a demo order, such as order-0001.
func orderID(key string) uuid.UUID { return uuid.NewSHA1(orderNamespace, []byte(key)) }

// Pictures is how many pictures each demo vehicle has.
const Pictures = 4

// pictureNamespace makes the ids of demo pictures, which live outside the catalog too.
var pictureNamespace = uuid.MustParse("0d5c2a8e-7b43-4f0e-9a61-3f6f0f2f5c77")

// PictureIDs are the ids of the pictures of a demo vehicle, such as jcb-3cx-1. The
// stand-in of the file service draws them.
func PictureIDs(vehicle string) []uuid.UUID {
	ids := make([]uuid.UUID, Pictures)
	for i := range ids {
		ids[i] = uuid.NewSHA1(pictureNamespace, fmt.Appendf(nil, "%s/%d", vehicle, i+1))
	}
	return ids
}

type records struct {
	Groups []struct{ Key, Name string }
	Units  []struct {
		Code, Label, UnitSystem string
		IsActive                bool
	}
	Categories []struct {
		Key, Group, Name string
		TenantIDs        []string `json:"tenantIds"`
	}
	Params []struct {
		Key, Name, ValueType, Unit string
		IsRequired, IsActive       bool
	}
	Tags []struct {
		Key, Name string
		IsActive  bool
	}
	Types []struct {
		Key, Title               string
		IsActive                 bool
		Categories, Params, Tags []string
	}
	Vehicles []vehicle
}

type vehicle struct {
	Key, Type, BrandName, ModelName, Owner string
	ReleaseYear                            *int32
	IsActive                               bool
	LicensePlate                           *string
	Params                                 map[string]json.RawMessage
	Tags                                   []string
	Ratings                                []struct {
		Customer, Order string
		Score           float64
		Comment         *string
	}
}

// seeder turns keys into ids while it loads.
type seeder struct {
	service api.StrictServerInterface
	db      *pgxpool.Pool
	step    func()
	ids     map[string]uuid.UUID // "kind/key"
	order   map[string][]string  // params of a type, in its order
}

// LoadInto loads the demo catalogue into a migrated database, as Load does, by a
// catalog of its own.
func LoadInto(ctx context.Context, db *pgxpool.Pool, out io.Writer, log *slog.Logger) error {
	spec, err := openapi.Load(openapi.Catalog)
	if err != nil {
		return err
	}
	service, err := catalog.New(catalog.Options{DB: db, Embedder: embedding.NewLexical(), Spec: spec, Log: log})
	if err != nil {
		return err
	}
	return Load(ctx, db, service, out)
}

// Load loads the demo catalogue. It may be run again at any time, also after it
// was stopped half-way. Progress is shown on out when that is a terminal.
func Load(ctx context.Context, db *pgxpool.Pool, service api.StrictServerInterface, out io.Writer) error {
	data, err := read()
	if err != nil {
		return err
	}
	total := len(data.Groups) + len(data.Units) + len(data.Categories) + len(data.Params) + len(data.Tags) + len(data.Types) + len(data.Vehicles)
	bar := newBar(out, total, "demo catalogue")
	if err := keep(ctx, db); err != nil { // of a loading that was stopped, however long ago
		return err
	}
	s := &seeder{service: service, db: db, step: func() { _ = bar.Add(1) }, ids: map[string]uuid.UUID{}, order: map[string][]string{}}
	for _, load := range []func(context.Context, records) error{s.groups, s.units, s.params, s.tags, s.types, s.vehicles} {
		err := load(ctx, data)
		if kept := keep(ctx, db); err == nil {
			err = kept
		}
		if err != nil {
			return err
		}
	}
	_ = bar.Finish()
	return nil
}

// keep takes the loader's keys out of time. A key that is a day old counts no
// more, and what it stands for would be made again: a unit and a tag are then
// refused as duplicates, a group is there twice. It also works for a loading
// that is being stopped.
func keep(ctx context.Context, db *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepLimit)
	defer cancel()
	_, err := db.Exec(ctx, "UPDATE idempotency_keys SET created_at = 'infinity' WHERE key LIKE $1 AND created_at < 'infinity'", seedKeys+"%")
	return err
}

// newBar is a progress bar on a terminal and silent elsewhere.
func newBar(out io.Writer, total int, what string) *progressbar.ProgressBar {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return progressbar.DefaultSilent(int64(total), what)
	}
	return progressbar.NewOptions(total, progressbar.OptionSetWriter(file), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionSetWidth(30), progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionOnCompletion(func() { fmt.Fprintln(file) }))
}

func read() (d records, err error) {
	for name, into := range map[string]any{
		"groups": &d.Groups, "units": &d.Units, "categories": &d.Categories, "params": &d.Params,
		"tags": &d.Tags, "types": &d.Types, "vehicles": &d.Vehicles,
	} {
		raw, err := Data.ReadFile(name + ".json")
		if err != nil {
			return d, err
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return d, fmt.Errorf("demo %s: %w", name, err)
		}
	}
	return d, nil
}

// as is a context of a caller with roles.
func as(ctx context.Context, subject string, roles ...string) context.Context {
	return auth.WithCaller(ctx, auth.Caller{Subject: subject, Roles: roles})
}

// create takes the id of a creation from its Location and remembers it.
func create[R any](s *seeder, kind, key string, response R, err error) error {
	if err != nil {
		return fmt.Errorf("demo %s %s: %w", kind, key, err)
	}
	located, ok := any(response).(interface{ Location() string })
	if !ok {
		return fmt.Errorf("demo %s %s: %T has no location", kind, key, response)
	}
	id, err := uuid.Parse(path.Base(located.Location()))
	if err != nil {
		return fmt.Errorf("demo %s %s: %w", kind, key, err)
	}
	s.ids[kind+"/"+key] = id
	s.step()
	return nil
}

func (s *seeder) idsOf(kind string, keys []string) []uuid.UUID {
	out := make([]uuid.UUID, len(keys))
	for i, key := range keys {
		out[i] = s.ids[kind+"/"+key]
	}
	return out
}

func keyOf(kind, key string) *string {
	k := seedKeys + kind + "/" + key
	return &k
}

const admin = "demo-admin"

func (s *seeder) groups(ctx context.Context, d records) error {
	ctx = as(ctx, admin, "ADMIN")
	for _, g := range d.Groups {
		r, err := s.service.CreateGroup(ctx, api.CreateGroupRequestObject{
			Params: api.CreateGroupParams{IdempotencyKey: keyOf("group", g.Key)}, Body: &api.GroupRequest{Name: g.Name},
		})
		if err := create(s, "group", g.Key, r, err); err != nil {
			return err
		}
	}
	for _, c := range d.Categories {
		body := &api.CategoryRequest{Name: c.Name}
		if c.TenantIDs != nil {
			body.TenantIds = nullable.NewNullableWithValue(c.TenantIDs)
		}
		r, err := s.service.CreateCategory(ctx, api.CreateCategoryRequestObject{
			GroupID: s.ids["group/"+c.Group], Params: api.CreateCategoryParams{IdempotencyKey: keyOf("category", c.Key)}, Body: body,
		})
		if err := create(s, "category", c.Key, r, err); err != nil {
			return err
		}
	}
	return nil
}

func (s *seeder) units(ctx context.Context, d records) error {
	ctx = as(ctx, admin, "ADMIN")
	for _, u := range d.Units {
		r, err := s.service.CreateUnit(ctx, api.CreateUnitRequestObject{
			Params: api.CreateUnitParams{IdempotencyKey: keyOf("unit", fmt.Sprintf("%x", u.Code))},
			Body:   &api.UnitRequest{Code: u.Code, Label: u.Label, UnitSystem: u.UnitSystem, IsActive: &u.IsActive},
		})
		if err := create(s, "unit", u.Code, r, err); err != nil {
			return err
		}
	}
	return nil
}

func (s *seeder) params(ctx context.Context, d records) error {
	ctx = as(ctx, admin, "ADMIN")
	for _, p := range d.Params {
		body := &api.ParamRequest{Name: p.Name, ValueType: api.ParamValueType(p.ValueType), IsRequired: &p.IsRequired, IsActive: &p.IsActive}
		if p.Unit != "" {
			body.UnitID = nullable.NewNullableWithValue(s.ids["unit/"+p.Unit])
		}
		r, err := s.service.CreateParam(ctx, api.CreateParamRequestObject{Params: api.CreateParamParams{IdempotencyKey: keyOf("param", p.Key)}, Body: body})
		if err := create(s, "param", p.Key, r, err); err != nil {
			return err
		}
	}
	return nil
}

func (s *seeder) tags(ctx context.Context, d records) error {
	ctx = as(ctx, admin, "ADMIN")
	for _, t := range d.Tags {
		r, err := s.service.CreateTag(ctx, api.CreateTagRequestObject{
			Params: api.CreateTagParams{IdempotencyKey: keyOf("tag", t.Key)}, Body: &api.TagRequest{Name: t.Name, IsActive: &t.IsActive},
		})
		if err := create(s, "tag", t.Key, r, err); err != nil {
			return err
		}
	}
	return nil
}

func (s *seeder) types(ctx context.Context, d records) error {
	ctx = as(ctx, admin, "ADMIN")
	for _, t := range d.Types {
		s.order[t.Key] = t.Params
		params := make([]api.TypeParamRef, len(t.Params))
		for i, id := range s.idsOf("param", t.Params) {
			params[i].ParamID = id
		}
		tags := s.idsOf("tag", t.Tags)
		r, err := s.service.CreateType(ctx, api.CreateTypeRequestObject{
			Params: api.CreateTypeParams{IdempotencyKey: keyOf("type", t.Key)},
			Body:   &api.TypeRequest{Title: t.Title, IsActive: &t.IsActive, CategoryIds: s.idsOf("category", t.Categories), Params: &params, SearchTagIds: &tags},
		})
		if err := create(s, "type", t.Key, r, err); err != nil {
			return err
		}
	}
	return nil
}

func (s *seeder) vehicles(ctx context.Context, d records) error {
	for _, v := range d.Vehicles {
		if err := s.vehicle(ctx, v); err != nil {
			return err
		}
	}
	return s.pictures(ctx, d)
}

// pictures gives them to vehicles that were loaded before there were any. One that
// somebody has changed since is left as it is.
func (s *seeder) pictures(ctx context.Context, d records) error {
	made := make([]uuid.UUID, len(d.Vehicles))
	keys := make(map[uuid.UUID]vehicle, len(d.Vehicles))
	for i, v := range d.Vehicles {
		made[i] = s.ids["vehicle/"+v.Key]
		keys[made[i]] = v
	}
	rows, err := s.db.Query(ctx, `SELECT v.id FROM vehicles v WHERE v.id = ANY($1) AND v.updated_at = v.created_at
AND NOT EXISTS (SELECT FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.kind = 'photo')`, made)
	if err != nil {
		return err
	}
	bare, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return err
	}
	for _, id := range bare {
		pictures := PictureIDs(keys[id].Key)
		_, err := s.service.UpdateVehicle(as(ctx, keys[id].Owner, "USER"), api.UpdateVehicleRequestObject{ID: id, Body: &api.VehiclePatch{PhotoFileIds: nullable.NewNullableWithValue(pictures)}})
		if err != nil {
			return fmt.Errorf("demo pictures of %s: %w", keys[id].Key, err)
		}
	}
	return nil
}

func (s *seeder) vehicle(ctx context.Context, v vehicle) error {
	params := []api.VehicleParamInput{}
	for _, key := range s.order[v.Type] {
		if value, held := v.Params[key]; held {
			params = append(params, api.VehicleParamInput{ParamID: s.ids["param/"+key], Value: value})
		}
	}
	tags, pictures := s.idsOf("tag", v.Tags), PictureIDs(v.Key)
	body := &api.VehicleCreate{
		EquipmentTypeID: s.ids["type/"+v.Type], BrandName: v.BrandName, ModelName: v.ModelName, IsActive: &v.IsActive,
		Params: &params, SearchTagIds: &tags, PhotoFileIds: &pictures,
	}
	if v.LicensePlate != nil {
		body.LicensePlate = nullable.NewNullableWithValue(*v.LicensePlate)
	}
	if v.ReleaseYear != nil {
		body.ReleaseYear = nullable.NewNullableWithValue(*v.ReleaseYear)
	}
	r, err := s.service.CreateVehicle(as(ctx, v.Owner, "USER"), api.CreateVehicleRequestObject{
		Params: api.CreateVehicleParams{IdempotencyKey: keyOf("vehicle", v.Key)}, Body: body,
	})
	if err := create(s, "vehicle", v.Key, r, err); err != nil {
		return err
	}
	return s.ratings(ctx, v)
}

// ratings first writes the orders that entitle to them, as their events would.
func (s *seeder) ratings(ctx context.Context, v vehicle) error {
	for _, rating := range v.Ratings {
		order := orderID(rating.Order)
		_, err := s.db.Exec(ctx, `INSERT INTO order_entitlements (order_id, customer_id, vehicle_id, status, event_timestamp)
VALUES ($1, $2, $3, 'Done', now()) ON CONFLICT (order_id) DO NOTHING`, order, rating.Customer, s.ids["vehicle/"+v.Key])
		if err != nil {
			return err
		}
		body := &api.RatingCreate{Score: rating.Score, OrderID: order}
		if rating.Comment != nil {
			body.Comment = nullable.NewNullableWithValue(*rating.Comment)
		}
		_, err = s.service.CreateRating(as(ctx, rating.Customer, "USER"), api.CreateRatingRequestObject{
			VehicleID: s.ids["vehicle/"+v.Key], Params: api.CreateRatingParams{IdempotencyKey: keyOf("rating", rating.Order)}, Body: body,
		})
		if err != nil {
			return fmt.Errorf("demo rating %s: %w", rating.Order, err)
		}
	}
	return nil
}
