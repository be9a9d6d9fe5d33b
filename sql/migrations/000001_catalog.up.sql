-- The catalog's tables. Text that people sort by has the ICU root collation, so that orders do not
-- depend on the locale of the database (contract 1.11).

CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE groups (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name       text COLLATE "und-x-icu" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 255),
    version    bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by text COLLATE "und-x-icu" NOT NULL,
    updated_by text COLLATE "und-x-icu" NOT NULL
);

CREATE TABLE categories (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    group_id     uuid NOT NULL CONSTRAINT categories_group_fk REFERENCES groups ON DELETE RESTRICT,
    name         text COLLATE "und-x-icu" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 255),
    icon_file_id uuid,
    tenant_ids   text[] CHECK (cardinality(tenant_ids) BETWEEN 1 AND 100),
    version      bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    created_by   text COLLATE "und-x-icu" NOT NULL,
    updated_by   text COLLATE "und-x-icu" NOT NULL
);
CREATE INDEX categories_group_idx ON categories (group_id);
CREATE INDEX categories_icon_idx ON categories (icon_file_id) WHERE icon_file_id IS NOT NULL;

CREATE TABLE tags (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name       text COLLATE "und-x-icu" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 255),
    is_active  boolean NOT NULL DEFAULT true,
    version    bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by text COLLATE "und-x-icu" NOT NULL,
    updated_by text COLLATE "und-x-icu" NOT NULL
);
-- "unique ignoring letter case" (contract 2.3), by the ICU rules of lower case
CREATE UNIQUE INDEX tags_name_key ON tags (lower(name));

CREATE TABLE units (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    code        text COLLATE "und-x-icu" NOT NULL CHECK (char_length(code) BETWEEN 1 AND 64),
    label       text COLLATE "und-x-icu" NOT NULL CHECK (char_length(label) BETWEEN 1 AND 255),
    unit_system text COLLATE "und-x-icu" NOT NULL CHECK (char_length(unit_system) BETWEEN 1 AND 64),
    is_active   boolean NOT NULL DEFAULT true,
    version     bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now(),
    created_by  text COLLATE "und-x-icu" NOT NULL,
    updated_by  text COLLATE "und-x-icu" NOT NULL,
    CONSTRAINT units_code_key UNIQUE (code)
);

CREATE TABLE params (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name        text COLLATE "und-x-icu" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 255),
    value_type  text NOT NULL CHECK (value_type IN ('STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'DATE')),
    unit_id     uuid CONSTRAINT params_unit_fk REFERENCES units ON DELETE RESTRICT,
    is_required boolean NOT NULL DEFAULT false,
    is_active   boolean NOT NULL DEFAULT true,
    version     bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now(),
    created_by  text COLLATE "und-x-icu" NOT NULL,
    updated_by  text COLLATE "und-x-icu" NOT NULL
);
CREATE INDEX params_unit_idx ON params (unit_id) WHERE unit_id IS NOT NULL;

CREATE TABLE types (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    title        text COLLATE "und-x-icu" NOT NULL CHECK (char_length(title) BETWEEN 1 AND 255),
    icon_file_id uuid,
    is_active    boolean NOT NULL DEFAULT true,
    version      bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    created_by   text COLLATE "und-x-icu" NOT NULL,
    updated_by   text COLLATE "und-x-icu" NOT NULL
);
CREATE INDEX types_icon_idx ON types (icon_file_id) WHERE icon_file_id IS NOT NULL;
CREATE INDEX types_title_trgm_idx ON types USING gin (lower(title) gin_trgm_ops);

-- Lists are read in their order from the primary key; the unique key serves the other direction too.
CREATE TABLE type_categories (
    type_id     uuid NOT NULL REFERENCES types ON DELETE CASCADE,
    category_id uuid NOT NULL CONSTRAINT type_categories_category_fk REFERENCES categories ON DELETE RESTRICT,
    position    smallint NOT NULL CHECK (position BETWEEN 0 AND 49),
    PRIMARY KEY (type_id, position),
    CONSTRAINT type_categories_category_key UNIQUE (category_id, type_id)
);

CREATE TABLE type_params (
    type_id  uuid NOT NULL REFERENCES types ON DELETE CASCADE,
    param_id uuid NOT NULL CONSTRAINT type_params_param_fk REFERENCES params ON DELETE RESTRICT,
    position smallint NOT NULL CHECK (position BETWEEN 0 AND 99),
    PRIMARY KEY (type_id, position),
    CONSTRAINT type_params_param_key UNIQUE (param_id, type_id)
);

CREATE TABLE type_tags (
    type_id  uuid NOT NULL REFERENCES types ON DELETE CASCADE,
    tag_id   uuid NOT NULL CONSTRAINT type_tags_tag_fk REFERENCES tags ON DELETE CASCADE,
    position smallint NOT NULL CHECK (position BETWEEN 0 AND 49),
    PRIMARY KEY (type_id, position),
    CONSTRAINT type_tags_tag_key UNIQUE (tag_id, type_id)
);

CREATE TABLE vehicles (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    type_id       uuid NOT NULL CONSTRAINT vehicles_type_fk REFERENCES types ON DELETE RESTRICT,
    license_plate text COLLATE "und-x-icu" CHECK (char_length(license_plate) BETWEEN 1 AND 32),
    brand_name    text COLLATE "und-x-icu" NOT NULL CHECK (char_length(brand_name) BETWEEN 1 AND 255),
    model_name    text COLLATE "und-x-icu" NOT NULL CHECK (char_length(model_name) BETWEEN 1 AND 255),
    release_year  integer CHECK (release_year BETWEEN 1900 AND 2100),
    is_active     boolean NOT NULL DEFAULT true,
    owner_user_id text COLLATE "und-x-icu" NOT NULL,
    -- scores are kept in half points, so that sums are exact; see ratings
    rating_halves bigint NOT NULL DEFAULT 0 CHECK (rating_halves >= 0),
    rating_count  bigint NOT NULL DEFAULT 0 CHECK (rating_count >= 0),
    rating_avg    numeric(3, 2) NOT NULL GENERATED ALWAYS AS
        (CASE WHEN rating_count = 0 THEN 0 ELSE round(rating_halves / (2.0 * rating_count), 2) END) STORED,
    version       bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now(),
    created_by    text COLLATE "und-x-icu" NOT NULL,
    updated_by    text COLLATE "und-x-icu" NOT NULL
);

CREATE TABLE vehicle_params (
    vehicle_id uuid NOT NULL REFERENCES vehicles ON DELETE CASCADE,
    param_id   uuid NOT NULL CONSTRAINT vehicle_params_param_fk REFERENCES params ON DELETE RESTRICT,
    position   smallint NOT NULL CHECK (position BETWEEN 0 AND 99),
    -- the JSON text of the value as it was sent: a NUMBER keeps its exact decimal text (contract 2.9)
    value      text NOT NULL CHECK (value <> ''),
    PRIMARY KEY (vehicle_id, position),
    CONSTRAINT vehicle_params_param_key UNIQUE (param_id, vehicle_id)
);

CREATE TABLE vehicle_tags (
    vehicle_id uuid NOT NULL REFERENCES vehicles ON DELETE CASCADE,
    tag_id     uuid NOT NULL CONSTRAINT vehicle_tags_tag_fk REFERENCES tags ON DELETE CASCADE,
    position   smallint NOT NULL CHECK (position BETWEEN 0 AND 49),
    PRIMARY KEY (vehicle_id, position),
    CONSTRAINT vehicle_tags_tag_key UNIQUE (tag_id, vehicle_id)
);

-- Photo and document links differ only in their kind.
CREATE TABLE vehicle_links (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    vehicle_id uuid NOT NULL REFERENCES vehicles ON DELETE CASCADE,
    kind       text NOT NULL CHECK (kind IN ('photo', 'doc')),
    file_id    uuid NOT NULL,
    is_active  boolean NOT NULL DEFAULT true,
    -- 0..19 and unique: a 21st link cannot be stored, whoever writes at the same time
    position   smallint NOT NULL CHECK (position BETWEEN 0 AND 19),
    version    bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    updated_by text NOT NULL,
    CONSTRAINT vehicle_links_file_key UNIQUE (vehicle_id, kind, file_id),
    CONSTRAINT vehicle_links_position_key UNIQUE (vehicle_id, kind, position) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX vehicle_links_file_idx ON vehicle_links (file_id);

CREATE TABLE ratings (
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    vehicle_id     uuid NOT NULL REFERENCES vehicles ON DELETE CASCADE,
    author_user_id text NOT NULL,
    order_id       uuid NOT NULL,
    -- 2..10 half points are 1.0..5.0 in steps of 0.5 (contract 3.8)
    score_halves   smallint NOT NULL CHECK (score_halves BETWEEN 2 AND 10),
    comment        text CHECK (char_length(comment) BETWEEN 1 AND 4000),
    version        bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    created_by     text NOT NULL,
    updated_by     text NOT NULL,
    CONSTRAINT ratings_author_key UNIQUE (vehicle_id, author_user_id),
    CONSTRAINT ratings_order_key UNIQUE (order_id)
);
CREATE INDEX ratings_created_idx ON ratings (vehicle_id, created_at, id);

-- What the order events say (contract 6.10): who may rate which vehicle. No foreign key: the streams of orders
-- and vehicles are not ordered against each other.
CREATE TABLE order_entitlements (
    order_id        uuid PRIMARY KEY,
    customer_id     text NOT NULL CHECK (char_length(customer_id) BETWEEN 1 AND 255),
    vehicle_id      uuid NOT NULL,
    status          text NOT NULL CHECK (char_length(status) BETWEEN 1 AND 255),
    event_timestamp timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX order_entitlements_customer_idx ON order_entitlements (customer_id, vehicle_id);

-- Events whose effect is in the database, written in the same transaction as the effect (contract 6.3). Never
-- pruned: a replay of a whole topic changes nothing.
CREATE TABLE handled_events (
    topic      text NOT NULL,
    event_key  text NOT NULL,
    handled_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (topic, event_key)
);

-- Kept answers of creations (contract 1.15), written in the same transaction as the effect.
CREATE TABLE idempotency_keys (
    caller       text NOT NULL,
    operation    text NOT NULL,
    key          text NOT NULL,
    request_hash bytea NOT NULL,
    location     text NOT NULL,
    etag         text NOT NULL,
    body         bytea NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (caller, operation, key)
);
CREATE INDEX idempotency_keys_created_idx ON idempotency_keys (created_at);
