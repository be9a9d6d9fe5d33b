-- What the writing transaction keeps beside its rows. Triggers, so that no writer can forget it: the
-- API, the event consumers and a person with psql alike.

-- Version of the dictionaries (params, units, tags) whose names stand in vehicles. A reader takes it in
-- the same statement as its rows: a cache of the same version is exactly as the snapshot sees it.
CREATE TABLE dictionary_version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version  bigint NOT NULL
);
INSERT INTO dictionary_version (version) VALUES (1);

CREATE FUNCTION bump_dictionary_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE dictionary_version SET version = version + 1;
    RETURN NULL;
END $$;

CREATE TRIGGER params_dictionary AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON params
    FOR EACH STATEMENT EXECUTE FUNCTION bump_dictionary_version();
CREATE TRIGGER units_dictionary AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON units
    FOR EACH STATEMENT EXECUTE FUNCTION bump_dictionary_version();
CREATE TRIGGER tags_dictionary AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tags
    FOR EACH STATEMENT EXECUTE FUNCTION bump_dictionary_version();

-- Exact totals without counting: each writer adds to the row of its backend, so that writers do not
-- wait for one another on one row; a reader sums the few rows in its snapshot.
CREATE TABLE vehicle_totals (
    shard  smallint PRIMARY KEY,
    active bigint NOT NULL,
    total  bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO vehicle_totals SELECT n, 0, 0 FROM generate_series(0, 31) n;

CREATE FUNCTION count_vehicle() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    d_active integer := 0;
    d_total  integer := 0;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        d_active := d_active - OLD.is_active::integer;
        d_total := d_total - 1;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        d_active := d_active + NEW.is_active::integer;
        d_total := d_total + 1;
    END IF;
    IF d_active <> 0 OR d_total <> 0 THEN
        UPDATE vehicle_totals SET active = active + d_active, total = total + d_total
        WHERE shard = pg_backend_pid() % 32;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER vehicles_total AFTER INSERT OR DELETE OR UPDATE OF is_active ON vehicles
    FOR EACH ROW EXECUTE FUNCTION count_vehicle();

-- Vectors of the public vehicles, written by the indexer (contract 4.5). Several models may stand side by side
-- while a new one is being filled; only vectors of the model in use are searched (contract 4.3).
CREATE TABLE vehicle_embeddings (
    vehicle_id  uuid NOT NULL REFERENCES vehicles ON DELETE CASCADE,
    model       text NOT NULL,
    -- hash of the model's name and the passage: unchanged means nothing to embed
    fingerprint text NOT NULL,
    embedding   vector(1024) NOT NULL,
    embedded_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (vehicle_id, model)
);
CREATE INDEX vehicle_embeddings_hnsw_idx ON vehicle_embeddings USING hnsw (embedding vector_cosine_ops)
    WITH (m = 16, ef_construction = 64);

-- Work for the indexer: one row for each change that may alter a passage or the public set. A row that
-- names something else than a vehicle stands for all vehicles that its text appears in.
CREATE TABLE index_outbox (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entity     text NOT NULL CHECK (entity IN ('vehicle', 'type', 'category', 'group', 'tag', 'param', 'unit')),
    entity_id  uuid NOT NULL,
    attempts   integer NOT NULL DEFAULT 0,
    not_before timestamptz NOT NULL DEFAULT now(),
    last_error text,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Rows set aside (a passage that no attempt could embed) wait at infinity and are not walked past again.
CREATE INDEX index_outbox_due_idx ON index_outbox (id) WHERE not_before < 'infinity';

-- Models that vectors were made for. "current" means that all the work for the model is done or in the
-- outbox; an indexer of another model that takes a row from the outbox ends that.
CREATE TABLE index_models (
    model      text PRIMARY KEY,
    current    boolean NOT NULL DEFAULT false,
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION queue_indexing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO index_outbox (entity, entity_id) VALUES (TG_ARGV[0], coalesce(NEW.id, OLD.id));
    RETURN NULL;
END $$;

-- A change of the links or values of a vehicle raises its version, so the version stands for all of its
-- text; a rating raises it too but is no part of the passage.
CREATE TRIGGER vehicles_indexing_insert AFTER INSERT ON vehicles
    FOR EACH ROW EXECUTE FUNCTION queue_indexing('vehicle');
CREATE TRIGGER vehicles_indexing_update AFTER UPDATE ON vehicles FOR EACH ROW
    WHEN (OLD.version <> NEW.version AND OLD.rating_halves = NEW.rating_halves AND OLD.rating_count = NEW.rating_count)
    EXECUTE FUNCTION queue_indexing('vehicle');
CREATE TRIGGER types_indexing AFTER UPDATE ON types FOR EACH ROW
    WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION queue_indexing('type');
CREATE TRIGGER categories_indexing AFTER UPDATE ON categories FOR EACH ROW
    WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION queue_indexing('category');
CREATE TRIGGER groups_indexing AFTER UPDATE ON groups FOR EACH ROW
    WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION queue_indexing('group');
CREATE TRIGGER tags_indexing AFTER UPDATE ON tags FOR EACH ROW
    WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION queue_indexing('tag');
CREATE TRIGGER params_indexing AFTER UPDATE ON params FOR EACH ROW
    WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION queue_indexing('param');
CREATE TRIGGER units_indexing AFTER UPDATE ON units FOR EACH ROW
    WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION queue_indexing('unit');
