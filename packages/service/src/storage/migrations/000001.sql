-- The first schema. Every key begins with the tenant. Unique keys and foreign keys are checked at commit, so that
-- a batch may swap keys and write parents and children in any order.

CREATE TABLE tenants (
  id text PRIMARY KEY,
  identifier text NOT NULL UNIQUE,
  name text NOT NULL,
  root_item_id text NOT NULL,
  settings json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE access_tokens (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'reader')),
  secret_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id)
);

CREATE TABLE shapes (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  identifier text NOT NULL,
  revision text NOT NULL,
  type text NOT NULL CHECK (type IN ('product', 'document', 'folder')),
  name text NOT NULL,
  meta json,
  components json NOT NULL,
  variant_components json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier)
);

CREATE TABLE pieces (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  identifier text NOT NULL,
  revision text NOT NULL,
  name text NOT NULL,
  components json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier)
);

-- A folder, document or product. The root folder of a tenant has neither parent nor shape.
CREATE TABLE items (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id text NOT NULL,
  type text NOT NULL CHECK (type IN ('product', 'document', 'folder')),
  shape_identifier text,
  parent_id text,
  -- Sorts among the children of the parent (a fractional index: there is always a key between two).
  sort_key text COLLATE "C" NOT NULL,
  external_reference text,
  resource_identifier text,
  vat_type_id text,
  topic_ids json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT items_resource_identifier UNIQUE (tenant_id, resource_identifier) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT items_parent FOREIGN KEY (tenant_id, parent_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT items_shape FOREIGN KEY (tenant_id, shape_identifier) REFERENCES shapes DEFERRABLE INITIALLY DEFERRED,
  CHECK ((parent_id IS NULL) = (shape_identifier IS NULL))
);
CREATE INDEX items_children ON items (tenant_id, parent_id, sort_key);
CREATE INDEX items_external_reference ON items (tenant_id, external_reference) WHERE external_reference IS NOT NULL;

-- What an item says in one language: the draft that is worked on, and the copy that was published last.
-- The draft owns the item's place among the paths: its segment is unique under the parent.
CREATE TABLE item_contents (
  tenant_id text NOT NULL,
  item_id text NOT NULL,
  language text NOT NULL,
  version text NOT NULL CHECK (version IN ('draft', 'published')),
  version_id text NOT NULL,
  parent_id text,
  segment text,
  name text NOT NULL,
  components json NOT NULL,
  -- The variants as they were published; a draft's variants are rows of product_variants.
  variants json,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, item_id, language, version),
  CONSTRAINT item_contents_path UNIQUE (tenant_id, parent_id, language, segment) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT item_contents_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED,
  CHECK (version = 'draft' OR segment IS NULL)
);

CREATE TABLE product_variants (
  tenant_id text NOT NULL,
  id text NOT NULL,
  product_id text NOT NULL,
  sku text NOT NULL,
  position int NOT NULL,
  is_default boolean NOT NULL,
  external_reference text,
  images json NOT NULL,
  videos json NOT NULL,
  price_variants json NOT NULL,
  stock_locations json NOT NULL,
  subscription_plans json NOT NULL,
  -- {language: {name, attributes, components}}
  contents json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT product_variants_sku UNIQUE (tenant_id, sku) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT product_variants_product FOREIGN KEY (tenant_id, product_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX product_variants_of_product ON product_variants (tenant_id, product_id);

CREATE TABLE customers (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  identifier text NOT NULL,
  type text NOT NULL CHECK (type IN ('individual', 'organization')),
  email text,
  first_name text,
  last_name text,
  middle_name text,
  company_name text,
  phone text,
  tax_number text,
  birth_date text,
  external_references jsonb NOT NULL,
  meta jsonb NOT NULL,
  addresses json NOT NULL,
  parents json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier)
);

CREATE TABLE customer_groups (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  identifier text NOT NULL,
  name text,
  parents json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier)
);

CREATE TABLE orders (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id text NOT NULL,
  resource_identifier text,
  customer_identifier text NOT NULL,
  customer json NOT NULL,
  cart json NOT NULL,
  total json,
  payment json NOT NULL,
  pipelines json NOT NULL,
  meta jsonb NOT NULL,
  additional_information text,
  applied_promotions json NOT NULL,
  payment_status text,
  related_order_ids json NOT NULL,
  type text,
  stock_location_identifier text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT orders_resource_identifier UNIQUE (tenant_id, resource_identifier) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX orders_of_customer ON orders (tenant_id, customer_identifier, id);

CREATE SEQUENCE bulk_task_start_order;

-- Owner, epoch and lease are the only authority over who executes a task.
CREATE TABLE bulk_tasks (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id text NOT NULL,
  type text NOT NULL CHECK (type = 'massOperation'),
  status text NOT NULL CHECK (status IN ('pending', 'started', 'running', 'complete', 'error')),
  key text NOT NULL,
  etag text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  start_order bigint,
  started_at timestamptz,
  validated_at timestamptz,
  running_at timestamptz,
  ended_at timestamptz,
  -- What pass one found.
  file_version text,
  sha256 text,
  total int,
  error_count int NOT NULL DEFAULT 0,
  warning_count int NOT NULL DEFAULT 0,
  -- What pass two has done: the operations before the cursor are executed and logged.
  cursor_index int NOT NULL DEFAULT 0,
  cursor_offset bigint NOT NULL DEFAULT 0,
  succeeded int NOT NULL DEFAULT 0,
  partial int NOT NULL DEFAULT 0,
  failed int NOT NULL DEFAULT 0,
  error text,
  error_name text,
  stack text,
  owner text,
  epoch int NOT NULL DEFAULT 0,
  lease_until timestamptz,
  -- Claims since the last commit: an operation that ends its process is found by it.
  attempts int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  CHECK ((status = 'pending') = (start_order IS NULL)),
  CHECK ((status IN ('complete', 'error')) = (ended_at IS NOT NULL)),
  CHECK (status NOT IN ('running', 'complete') OR (validated_at IS NOT NULL AND total IS NOT NULL)),
  CHECK (status <> 'complete' OR cursor_index = total),
  CHECK (status <> 'error' OR error_name IS NOT NULL),
  CHECK (owner IS NULL OR status IN ('started', 'running')),
  CHECK ((owner IS NULL) = (lease_until IS NULL)),
  CHECK (succeeded + partial + failed = cursor_index)
);
-- Tasks of one tenant are executed one at a time.
CREATE UNIQUE INDEX bulk_tasks_one_running ON bulk_tasks (tenant_id) WHERE status = 'running';
CREATE INDEX bulk_tasks_to_do ON bulk_tasks (start_order) WHERE status IN ('started', 'running');

CREATE TABLE bulk_task_issues (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  number int NOT NULL,
  issue json NOT NULL,
  PRIMARY KEY (tenant_id, task_id, number),
  FOREIGN KEY (tenant_id, task_id) REFERENCES bulk_tasks ON DELETE CASCADE
);

-- Which operation's result is read by later ones, and by which one last.
CREATE TABLE bulk_task_references (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  index int NOT NULL,
  last_reader int NOT NULL,
  PRIMARY KEY (tenant_id, task_id, index),
  FOREIGN KEY (tenant_id, task_id) REFERENCES bulk_tasks ON DELETE CASCADE
);

-- One entry per executed operation; the primary key makes a second one impossible.
CREATE TABLE operation_logs (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  index int NOT NULL,
  ref text,
  intent text NOT NULL,
  status text NOT NULL CHECK (status IN ('success', 'partial', 'failure')),
  status_code int NOT NULL,
  action text,
  message text,
  -- The payload as written; json, not jsonb, keeps its bytes.
  input json NOT NULL,
  -- The rendered payload, where it differs from the input.
  command json,
  output json,
  errors json,
  started_at timestamptz NOT NULL,
  duration_ms real NOT NULL,
  PRIMARY KEY (tenant_id, task_id, index)
);
CREATE INDEX operation_logs_failures ON operation_logs (tenant_id, task_id, status, index) WHERE status <> 'success';
