// Command bare is the yardstick of the benchmarks: net/http, pgx and
// encoding/json over plain SQL, without authentication, validation, limits or
// middleware. What a careful person writes in an afternoon.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"
	pgxvector "github.com/pgvector/pgvector-go/pgx"
)

type param struct {
	ParamID   uuid.UUID       `json:"paramId"`
	Name      string          `json:"name"`
	ValueType string          `json:"valueType"`
	Value     json.RawMessage `json:"value"`
	Unit      json.RawMessage `json:"unit,omitempty"`
}

type vehicle struct {
	ID              uuid.UUID       `json:"id"`
	EquipmentTypeID uuid.UUID       `json:"equipmentTypeId"`
	LicensePlate    *string         `json:"licensePlate"`
	BrandName       string          `json:"brandName"`
	ModelName       string          `json:"modelName"`
	ReleaseYear     *int            `json:"releaseYear"`
	IsActive        bool            `json:"isActive"`
	OwnerUserID     string          `json:"ownerUserId"`
	Params          []param         `json:"params"`
	SearchTags      json.RawMessage `json:"searchTags"`
	PhotoFileIDs    []uuid.UUID     `json:"photoFileIds"`
	DocFileIDs      []uuid.UUID     `json:"docFileIds"`
	RatingAvg       float64         `json:"ratingAvg"`
	RatingCount     int64           `json:"ratingCount"`
	Version         int64           `json:"version"`
	CreatedAt       time.Time       `json:"createdAt"`
	UpdatedAt       time.Time       `json:"updatedAt"`
	CreatedBy       string          `json:"createdBy"`
	UpdatedBy       string          `json:"updatedBy"`
}

// columns is the plain SQL of a vehicle with its children.
const columns = `v.id, v.type_id, v.license_plate, v.brand_name, v.model_name, v.release_year, v.is_active, v.owner_user_id,
coalesce((SELECT json_agg(json_build_object('paramId', p.id, 'name', p.name, 'valueType', p.value_type, 'value', vp.value::json,
    'unit', CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'code', u.code, 'label', u.label, 'unitSystem', u.unit_system, 'isActive', u.is_active,
        'version', u.version, 'createdAt', u.created_at, 'updatedAt', u.updated_at, 'createdBy', u.created_by, 'updatedBy', u.updated_by) END) ORDER BY vp.position)
    FROM vehicle_params vp JOIN params p ON p.id = vp.param_id LEFT JOIN units u ON u.id = p.unit_id WHERE vp.vehicle_id = v.id), '[]'),
coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY vt.position) FROM vehicle_tags vt JOIN tags t ON t.id = vt.tag_id WHERE vt.vehicle_id = v.id), '[]'),
coalesce((SELECT json_agg(l.file_id ORDER BY l.position) FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.kind = 'photo' AND l.is_active), '[]'),
coalesce((SELECT json_agg(l.file_id ORDER BY l.position) FROM vehicle_links l WHERE l.vehicle_id = v.id AND l.kind = 'doc' AND l.is_active), '[]'),
v.rating_avg::float8, v.rating_count, v.version, v.created_at, v.updated_at, v.created_by, v.updated_by`

func scan(row pgx.Row, more ...any) (v vehicle, err error) {
	err = row.Scan(append([]any{&v.ID, &v.EquipmentTypeID, &v.LicensePlate, &v.BrandName, &v.ModelName, &v.ReleaseYear, &v.IsActive, &v.OwnerUserID,
		&v.Params, &v.SearchTags, &v.PhotoFileIDs, &v.DocFileIDs, &v.RatingAvg, &v.RatingCount, &v.Version, &v.CreatedAt, &v.UpdatedAt, &v.CreatedBy, &v.UpdatedBy}, more...)...)
	return v, err
}

type server struct {
	db      *pgxpool.Pool
	queries map[string]pgvector.Vector // what the service embeds itself
}

func main() {
	ctx := context.Background()
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	config.MaxConns = 8
	var neighbours, probes atomic.Int64 // how widely the index is walked, be it a graph or lists
	neighbours.Store(200)
	n, err := strconv.ParseInt(os.Getenv("BENCH_PROBES"), 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	probes.Store(n)
	config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		if err := pgxvector.RegisterTypes(ctx, c); err != nil {
			return err
		}
		_, err := c.Exec(ctx, fmt.Sprintf("SET hnsw.iterative_scan = strict_order; SET ivfflat.iterative_scan = relaxed_order; SET hnsw.ef_search = %d; SET ivfflat.probes = %d", neighbours.Load(), probes.Load()))
		return err
	}
	db, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		log.Fatal(err)
	}
	s := &server{db: db, queries: map[string]pgvector.Vector{}}
	raw, err := os.ReadFile(os.Getenv("BENCH_QUERIES"))
	if err != nil {
		log.Fatal(err)
	}
	var vectors map[string][]float32
	if err := json.Unmarshal(raw, &vectors); err != nil {
		log.Fatal(err)
	}
	for q, v := range vectors {
		s.queries[q] = pgvector.NewVector(v)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /api/v1/vehicles/{id}", s.get)
	mux.HandleFunc("GET /api/v1/vehicles", s.list)
	mux.HandleFunc("GET /api/v1/vehicles/count", s.count)
	mux.HandleFunc("POST /api/v1/vehicles", s.create)
	mux.HandleFunc("POST /api/v1/vehicles/semantic-search", s.search)
	mux.HandleFunc("POST /width/{n}", func(_ http.ResponseWriter, r *http.Request) {
		n, _ := strconv.ParseInt(r.PathValue("n"), 10, 64)
		neighbours.Store(n)
		probes.Store(n)
		db.Reset()
	})
	log.Fatal(http.ListenAndServe(os.Getenv("HTTP_ADDR"), mux))
}

func answer(w http.ResponseWriter, status int, v any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	v, err := scan(s.db.QueryRow(r.Context(), "SELECT "+columns+" FROM vehicles v WHERE v.id = $1 AND v.is_active", r.PathValue("id")))
	answer(w, http.StatusOK, v, err)
}

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	page, _ := strconv.Atoi(q.Get("page"))
	page = max(page, 1)
	where, args := "v.is_active", []any{50, (page - 1) * 50}
	if plate := q.Get("licensePlate"); plate != "" {
		where, args = where+" AND v.license_plate LIKE $3", append(args, "%"+plate+"%")
	}
	if brand := q.Get("brandName"); brand != "" {
		where, args = where+" AND lower(v.brand_name) = lower($3)", append(args, brand)
	}
	// the page first, then its children: otherwise those of every row that OFFSET skips are made too
	rows, err := s.db.Query(r.Context(), "SELECT "+columns+" FROM (SELECT * FROM vehicles v WHERE "+where+" ORDER BY v.created_at DESC, v.id DESC LIMIT $1 OFFSET $2) v ORDER BY v.created_at DESC, v.id DESC", args...)
	if err != nil {
		answer(w, 0, nil, err)
		return
	}
	vehicles, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (vehicle, error) { return scan(row) })
	if err != nil {
		answer(w, 0, nil, err)
		return
	}
	var total int64
	err = s.db.QueryRow(r.Context(), "SELECT count(*) FROM vehicles v WHERE "+strings.ReplaceAll(where, "$3", "$1"), args[2:]...).Scan(&total)
	answer(w, http.StatusOK, map[string]any{"content": vehicles, "currentPage": page, "pageSize": 50, "totalElements": total}, err)
}

func (s *server) count(w http.ResponseWriter, r *http.Request) {
	var count int64
	err := s.db.QueryRow(r.Context(), "SELECT count(*) FROM vehicles v WHERE v.is_active AND lower(v.brand_name) = lower($1)", r.URL.Query().Get("brandName")).Scan(&count)
	answer(w, http.StatusOK, map[string]any{"count": count}, err)
}

type input struct {
	EquipmentTypeID uuid.UUID `json:"equipmentTypeId"`
	LicensePlate    string    `json:"licensePlate"`
	BrandName       string    `json:"brandName"`
	ModelName       string    `json:"modelName"`
	ReleaseYear     int       `json:"releaseYear"`
	Params          []struct {
		ParamID uuid.UUID       `json:"paramId"`
		Value   json.RawMessage `json:"value"`
	} `json:"params"`
	SearchTagIDs []uuid.UUID `json:"searchTagIds"`
	PhotoFileIDs []uuid.UUID `json:"photoFileIds"`
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	var in input
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx := r.Context()
	var v vehicle
	err := pgx.BeginFunc(ctx, s.db, func(tx pgx.Tx) error {
		var id uuid.UUID
		err := tx.QueryRow(ctx, `INSERT INTO vehicles (type_id, license_plate, brand_name, model_name, release_year, owner_user_id, created_by, updated_by)
VALUES ($1, $2, $3, $4, $5, 'bare', 'bare', 'bare') RETURNING id`, in.EquipmentTypeID, in.LicensePlate, in.BrandName, in.ModelName, in.ReleaseYear).Scan(&id)
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		for i, p := range in.Params {
			batch.Queue("INSERT INTO vehicle_params VALUES ($1, $2, $3, $4)", id, p.ParamID, i, string(p.Value))
		}
		for i, t := range in.SearchTagIDs {
			batch.Queue("INSERT INTO vehicle_tags VALUES ($1, $2, $3)", id, t, i)
		}
		for i, f := range in.PhotoFileIDs {
			batch.Queue("INSERT INTO vehicle_links (vehicle_id, kind, file_id, position, created_by, updated_by) VALUES ($1, 'photo', $2, $3, 'bare', 'bare')", id, f, i)
		}
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		v, err = scan(tx.QueryRow(ctx, "SELECT "+columns+" FROM vehicles v WHERE v.id = $1", id))
		return err
	})
	answer(w, http.StatusCreated, v, err)
}

func (s *server) search(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Query   string            `json:"query"`
		TopK    int               `json:"topK"`
		Filters map[string]string `json:"filters"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	vector, ok := s.queries[in.Query]
	if !ok {
		http.Error(w, fmt.Sprintf("no vector for %q", in.Query), http.StatusBadRequest)
		return
	}
	where, args := "v.is_active", []any{vector, in.TopK}
	if brand := in.Filters["brandName"]; brand != "" {
		where, args = where+" AND lower(v.brand_name) = lower($3)", append(args, brand)
	}
	rows, err := s.db.Query(r.Context(), "SELECT "+columns+", 1 - (e.embedding <=> $1) FROM vehicle_embeddings e JOIN vehicles v ON v.id = e.vehicle_id WHERE "+where+" ORDER BY e.embedding::halfvec(1024) <=> $1::vector::halfvec(1024) LIMIT $2", args...)
	if err != nil {
		answer(w, 0, nil, err)
		return
	}
	type match struct {
		Score   float64 `json:"score"`
		Vehicle vehicle `json:"vehicle"`
	}
	matches, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (m match, err error) {
		m.Vehicle, err = scan(row, &m.Score)
		return m, err
	})
	answer(w, http.StatusOK, map[string]any{"matches": matches}, err)
}
