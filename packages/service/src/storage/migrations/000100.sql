-- Schema of the first release; later migrations change it. All primary keys start with the tenant. Unique and foreign
-- keys of content are deferred to commit, so a batch can swap keys and insert parents and children in any order. No
-- table references tenants: a transaction that writes rows of a tenant locks the tenant's row once, instead of a
-- foreign key check per row.

-- Tenants and access

CREATE TABLE tenants (
  id text PRIMARY KEY,
  -- Null while the tenant is being deleted: lookups find nothing, the identifier can be reused, and transactions that
  -- are writing for the tenant get a conflict (identifier is a key). The row is deleted last.
  identifier text UNIQUE,
  name text NOT NULL,
  root_item_id text NOT NULL,
  -- Set by the operator.
  limits json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tenants_limits CHECK ((
    (limits->>'uploadMaxBytes')::bigint > 0
    AND (limits->>'uploadLifetimeSeconds')::int > 0
    AND (limits->>'maxWaitingTasks')::int > 0
    AND (limits->>'keepBeforeDays')::int >= 0
  ) IS TRUE)
);

-- Settings that operations refer to, one row each, so that the unit of work writes them like any other row. Lists are
-- ordered by `position`; the first entry is the default.
CREATE TABLE settings (
  tenant_id text NOT NULL,
  list text NOT NULL CHECK (list IN (
    'languages', 'vatTypes', 'priceVariants', 'stockLocations', 'markets', 'subscriptionPlans', 'pipelines'
  )),
  -- The value that operations use to refer to it.
  identifier text NOT NULL,
  position int NOT NULL,
  value json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, list, identifier)
);

CREATE TABLE access_tokens (
  tenant_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'reader')),
  secret_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  -- Updated at most once a minute, so that a busy token does not cause a write per request.
  last_used_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);

-- Browser sessions. Each row lets a session use one access token of a tenant; a session with several tenants has a row
-- per tenant, all with the same hash. Deleting the token deletes the row.
CREATE TABLE console_sessions (
  tenant_id text NOT NULL,
  -- SHA-256 of the cookie's value.
  hash text NOT NULL,
  -- Identifies the row in the audit trail. Increases with time.
  id text NOT NULL,
  token_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT console_sessions_token FOREIGN KEY (tenant_id, token_id) REFERENCES access_tokens ON DELETE CASCADE
);
CREATE INDEX console_sessions_of_token ON console_sessions (tenant_id, token_id, id);
CREATE INDEX console_sessions_by_hash ON console_sessions (hash);
CREATE INDEX console_sessions_by_expiry ON console_sessions (expires_at);

-- Single-use codes that open a session with the token that created them.
CREATE TABLE console_codes (
  tenant_id text NOT NULL,
  -- SHA-256 of the code.
  hash text NOT NULL,
  -- Increases with time.
  id text NOT NULL,
  token_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT console_codes_token FOREIGN KEY (tenant_id, token_id) REFERENCES access_tokens ON DELETE CASCADE
);
CREATE INDEX console_codes_of_token ON console_codes (tenant_id, token_id, id);
CREATE INDEX console_codes_by_hash ON console_codes (hash);
CREATE INDEX console_codes_by_expiry ON console_codes (expires_at);

-- Kept after the tenant is deleted.
CREATE TABLE audit_trail (
  tenant_id text NOT NULL,
  -- Increases with time.
  id text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  tenant_identifier text NOT NULL,
  actor text NOT NULL CHECK (actor IN ('operator', 'accessToken', 'task')),
  access_token_id text,
  access_token_name text,
  task_id text,
  action text NOT NULL,
  subject_id text NOT NULL,
  details json,
  PRIMARY KEY (tenant_id, id),
  CHECK ((actor = 'accessToken') = (access_token_id IS NOT NULL)),
  CHECK ((access_token_id IS NULL) = (access_token_name IS NULL)),
  CHECK ((actor = 'task') = (task_id IS NOT NULL))
);
-- For the operator, who reads all tenants' entries, newest first.
CREATE INDEX audit_trail_by_time ON audit_trail (id);

-- The content model

CREATE TABLE shapes (
  tenant_id text NOT NULL,
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
  tenant_id text NOT NULL,
  identifier text NOT NULL,
  revision text NOT NULL,
  name text NOT NULL,
  components json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier)
);

-- Topics

-- Root topics have no parent.
CREATE TABLE topics (
  tenant_id text NOT NULL,
  id text NOT NULL,
  parent_id text,
  resource_identifier text,
  display_color text,
  meta json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT topics_resource_identifier UNIQUE (tenant_id, resource_identifier) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT topics_parent FOREIGN KEY (tenant_id, parent_id) REFERENCES topics DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX topics_children ON topics (tenant_id, parent_id, id);

CREATE TABLE topic_contents (
  tenant_id text NOT NULL,
  topic_id text NOT NULL,
  language text NOT NULL,
  -- Copy of the topic's parent, for the unique constraint on the path identifier; empty for root topics.
  parent_id text NOT NULL,
  path_identifier text NOT NULL,
  name text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, topic_id, language),
  CONSTRAINT topic_contents_path UNIQUE (tenant_id, parent_id, language, path_identifier)
    DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT topic_contents_topic FOREIGN KEY (tenant_id, topic_id) REFERENCES topics DEFERRABLE INITIALLY DEFERRED
);

-- Items

-- The root folder of a tenant has neither parent nor shape.
CREATE TABLE items (
  tenant_id text NOT NULL,
  id text NOT NULL,
  type text NOT NULL CHECK (type IN ('product', 'document', 'folder')),
  shape_identifier text,
  parent_id text,
  -- Position among the parent's children: a fractional index, so there is always a key between two others.
  sort_key text COLLATE "C" NOT NULL,
  external_reference text,
  resource_identifier text,
  vat_type_id text,
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

-- Content of an item per language: the draft, and the version published last. The draft owns the item's path: its
-- segment is unique under the parent. Published paths consist of published segments. A published version stores a
-- segment, and with it the parent, only while the segment differs from the draft's, so that one constraint covers both.
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
  -- Published variants, without price and stock (see published_variants). The draft's are in product_variants.
  variants json,
  -- On drafts: whether a published version exists. A rename looks for that version only if so, and conflicts with a
  -- concurrent first publication.
  is_published boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, item_id, language, version),
  CONSTRAINT item_contents_path UNIQUE (tenant_id, parent_id, language, segment) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT item_contents_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT item_contents_place CHECK ((parent_id IS NULL) = (segment IS NULL)),
  CONSTRAINT item_contents_is_published CHECK (version = 'draft' OR NOT is_published)
);
-- Lets searches by name filter in the index instead of the table.
CREATE INDEX item_contents_names ON item_contents (tenant_id, name COLLATE "C") WHERE version = 'draft';

-- Additional paths of items. A path leads to one item per language.
CREATE TABLE item_aliases (
  tenant_id text NOT NULL,
  language text NOT NULL,
  path text NOT NULL,
  item_id text NOT NULL,
  PRIMARY KEY (tenant_id, language, path),
  CONSTRAINT item_aliases_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX item_aliases_of_item ON item_aliases (tenant_id, item_id);

-- Former paths of items, ordered by `position`, the newest last. Paths of deep folders can exceed the maximum size of
-- an index entry, so the index is on their SHA-256.
CREATE TABLE item_former_paths (
  tenant_id text NOT NULL,
  item_id text NOT NULL,
  language text NOT NULL,
  path text NOT NULL,
  path_hash text NOT NULL CHECK (path_hash = encode(sha256(convert_to(path, 'UTF8')), 'hex')),
  position int NOT NULL,
  PRIMARY KEY (tenant_id, item_id, language, path_hash),
  CONSTRAINT item_former_paths_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX item_former_paths_by_path ON item_former_paths (tenant_id, language, path_hash);

-- Additional parents of items. Shortcuts and children of a parent are sorted together, by sort_key.
CREATE TABLE item_shortcuts (
  tenant_id text NOT NULL,
  item_id text NOT NULL,
  parent_id text NOT NULL,
  sort_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, item_id, parent_id),
  CONSTRAINT item_shortcuts_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT item_shortcuts_parent FOREIGN KEY (tenant_id, parent_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED,
  CHECK (item_id <> parent_id)
);
CREATE INDEX item_shortcuts_of_parent ON item_shortcuts (tenant_id, parent_id, sort_key);

CREATE TABLE item_topics (
  tenant_id text NOT NULL,
  item_id text NOT NULL,
  topic_id text NOT NULL,
  position int NOT NULL,
  PRIMARY KEY (tenant_id, item_id, topic_id),
  CONSTRAINT item_topics_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT item_topics_topic FOREIGN KEY (tenant_id, topic_id) REFERENCES topics DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX item_topics_of_topic ON item_topics (tenant_id, topic_id);

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

-- Published price and stock of variants, shared by all languages. Does not reference product_variants: a deleted
-- variant stays in the published versions until they are next published, and so does its row here.
CREATE TABLE published_variants (
  tenant_id text NOT NULL,
  variant_id text NOT NULL,
  product_id text NOT NULL,
  -- Languages whose published version contains the variant.
  languages json NOT NULL,
  price_variants json NOT NULL,
  stock_locations json NOT NULL,
  PRIMARY KEY (tenant_id, variant_id),
  CONSTRAINT published_variants_product
    FOREIGN KEY (tenant_id, product_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX published_variants_of_product ON published_variants (tenant_id, product_id);

-- Flows

CREATE TABLE flows (
  tenant_id text NOT NULL,
  identifier text NOT NULL,
  name text NOT NULL,
  type text NOT NULL CHECK (type = 'item'),
  restrictions json,
  meta json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier)
);

-- Operations refer to a stage by its identifier alone, so it is unique per tenant.
CREATE TABLE flow_stages (
  tenant_id text NOT NULL,
  identifier text NOT NULL,
  flow_identifier text NOT NULL,
  position int NOT NULL,
  name text NOT NULL,
  meta json NOT NULL,
  actions json NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier),
  -- Referenced by flow_items.
  CONSTRAINT flow_stages_in_flow UNIQUE (tenant_id, flow_identifier, identifier),
  CONSTRAINT flow_stages_flow FOREIGN KEY (tenant_id, flow_identifier) REFERENCES flows DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX flow_stages_of_flow ON flow_stages (tenant_id, flow_identifier);

-- The foreign keys keep an item in exactly one stage of its flow, even if the stage is concurrently moved to another
-- flow. An empty language means the item as a whole.
CREATE TABLE flow_items (
  tenant_id text NOT NULL,
  flow_identifier text NOT NULL,
  item_id text NOT NULL,
  language text NOT NULL,
  stage_identifier text NOT NULL,
  -- Increases with the time the item entered the stage.
  sort_key text COLLATE "C" NOT NULL,
  version text NOT NULL CHECK (version IN ('current', 'draft', 'published')),
  action_config json NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, flow_identifier, item_id, language),
  CONSTRAINT flow_items_flow FOREIGN KEY (tenant_id, flow_identifier) REFERENCES flows DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT flow_items_stage FOREIGN KEY (tenant_id, flow_identifier, stage_identifier)
    REFERENCES flow_stages (tenant_id, flow_identifier, identifier) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT flow_items_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX flow_items_of_item ON flow_items (tenant_id, item_id);
CREATE INDEX flow_items_of_stage ON flow_items (tenant_id, stage_identifier, sort_key);

-- Images

-- Registered images: files of the tenant's media store that were verified to be images. The file of a key never
-- changes, so neither do the columns that describe it. SVG images may have no intrinsic size.
CREATE TABLE images (
  tenant_id text NOT NULL,
  key text NOT NULL,
  resource_identifier text,
  mime_type text NOT NULL CHECK (mime_type LIKE 'image/%'),
  width int CHECK (width > 0),
  height int CHECK (height > 0),
  size bigint NOT NULL CHECK (size > 0),
  -- SHA-256 of the file, in hexadecimal: an operation that uploads an identical file reuses the image. Null if the file
  -- is larger than operations may upload.
  sha256 text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key),
  CONSTRAINT images_resource_identifier UNIQUE (tenant_id, resource_identifier) DEFERRABLE INITIALLY DEFERRED,
  CHECK (mime_type = 'image/svg+xml' OR (width IS NOT NULL AND height IS NOT NULL))
);
CREATE INDEX images_sha256 ON images (tenant_id, sha256);

-- Images fetched by tasks, recorded before they are stored, so that any process can find and delete those that no
-- operation registered. A task's records are deleted after it has ended.
CREATE TABLE fetched_images (
  tenant_id text NOT NULL,
  key text NOT NULL,
  task_id text NOT NULL,
  -- True: its row was removed, or its file existed before the task fetched it. Content may still name the image, so it
  -- is deleted only after a search of the tenant's rows.
  released boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, key)
);
CREATE INDEX fetched_images_of_task ON fetched_images (tenant_id, task_id);
-- Every transaction that writes rows of a tenant checks whether it has released images.
CREATE INDEX fetched_images_released ON fetched_images (tenant_id) WHERE released;

-- Customers, orders, contracts and price lists

CREATE TABLE customers (
  tenant_id text NOT NULL,
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
-- Lets searches by e-mail address filter in the index instead of the table.
CREATE INDEX customers_emails ON customers (tenant_id, email) WHERE email IS NOT NULL;
-- Finds the members of a customer or group. Partial, because few customers have parents.
CREATE INDEX customers_parents ON customers USING gin ((parents::jsonb) jsonb_path_ops) WHERE parents::text <> '[]';

CREATE TABLE customer_groups (
  tenant_id text NOT NULL,
  identifier text NOT NULL,
  name text,
  parents json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier)
);
CREATE INDEX customer_groups_parents ON customer_groups USING gin ((parents::jsonb) jsonb_path_ops)
  WHERE parents::text <> '[]';

CREATE TABLE orders (
  tenant_id text NOT NULL,
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

CREATE TABLE subscription_contracts (
  tenant_id text NOT NULL,
  id text NOT NULL,
  resource_identifier text,
  customer_identifier text NOT NULL,
  plan_identifier text NOT NULL,
  subscription_plan json NOT NULL,
  -- The agreed terms. Kept when the variant is deleted, like the lines of an order.
  sku text NOT NULL,
  item json NOT NULL,
  initial json,
  recurring json NOT NULL,
  activate_at timestamptz,
  active_until timestamptz,
  renew_at timestamptz,
  signed_at timestamptz,
  -- Overrides the dates: the contract was paused, or cancelled with immediate effect.
  halted text CHECK (halted IN ('paused', 'cancelled')),
  -- The first renewal ends the initial phase.
  renewed boolean NOT NULL DEFAULT false,
  payment json,
  addresses json NOT NULL,
  meta jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT subscription_contracts_resource_identifier
    UNIQUE (tenant_id, resource_identifier) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT subscription_contracts_customer
    FOREIGN KEY (tenant_id, customer_identifier) REFERENCES customers DEFERRABLE INITIALLY DEFERRED,
  CHECK (activate_at IS NULL OR (active_until IS NULL AND renew_at IS NULL)),
  CHECK (renew_at IS NULL OR active_until IS NOT NULL),
  CHECK (halted <> 'cancelled' OR (activate_at IS NULL AND active_until IS NULL AND renew_at IS NULL))
);
CREATE INDEX subscription_contracts_of_customer ON subscription_contracts (tenant_id, customer_identifier, id);

-- Usage of the metered variables of a contract's plan.
CREATE TABLE subscription_contract_usages (
  tenant_id text NOT NULL,
  id text NOT NULL,
  contract_id text NOT NULL,
  metered_variable_identifier text NOT NULL,
  quantity float8 NOT NULL,
  description text,
  idempotency_key text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT subscription_contract_usages_idempotency_key
    UNIQUE (tenant_id, idempotency_key) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT subscription_contract_usages_contract
    FOREIGN KEY (tenant_id, contract_id) REFERENCES subscription_contracts DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX subscription_contract_usages_of_contract
  ON subscription_contract_usages (tenant_id, contract_id, created_at);

CREATE TABLE price_lists (
  tenant_id text NOT NULL,
  identifier text NOT NULL,
  name text NOT NULL,
  modifier_type text NOT NULL CHECK (modifier_type IN ('ABSOLUTE', 'PERCENTAGE', 'RELATIVE')),
  price_variants json NOT NULL,
  selection_type text NOT NULL CHECK (selection_type IN ('ALL_SKUS', 'SOME_SKUS')),
  target_audience json NOT NULL,
  start_date timestamptz,
  end_date timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier),
  CHECK (end_date >= start_date)
);

-- Variants selected by a price list, with their own prices, if any. Deleting a variant first removes it from all price
-- lists.
CREATE TABLE price_list_variants (
  tenant_id text NOT NULL,
  price_list_identifier text NOT NULL,
  sku text NOT NULL,
  variant_id text NOT NULL,
  price_variants json NOT NULL,
  PRIMARY KEY (tenant_id, price_list_identifier, sku),
  CONSTRAINT price_list_variants_price_list
    FOREIGN KEY (tenant_id, price_list_identifier) REFERENCES price_lists DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT price_list_variants_variant
    FOREIGN KEY (tenant_id, variant_id) REFERENCES product_variants DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX price_list_variants_of_variant ON price_list_variants (tenant_id, variant_id);

-- Bulk tasks

CREATE SEQUENCE bulk_task_start_order;

-- Owner, epoch and lease alone decide which process executes a task.
CREATE TABLE bulk_tasks (
  tenant_id text NOT NULL,
  id text NOT NULL,
  type text NOT NULL CHECK (type = 'massOperation'),
  -- A run executes a file and a plan previews it; a retry or undo follows another task.
  kind text NOT NULL DEFAULT 'run' CHECK (kind IN ('run', 'plan', 'retry', 'undo')),
  -- Retry or undo: the task it retries or undoes. Plan: the task whose undo it previews. Run: the plan it follows.
  of_task text,
  status text NOT NULL CHECK (status IN ('pending', 'started', 'running', 'complete', 'error')),

  -- Options of the request that created the task.
  key text NOT NULL,
  etag text NOT NULL,
  -- Stored to detect a different request with the same idempotency key.
  auto_start boolean NOT NULL DEFAULT false,
  -- Treats warnings about the file as errors.
  strict boolean NOT NULL DEFAULT false,
  -- A repeated request with the same key returns the existing task.
  idempotency_key text CHECK (idempotency_key <> ''),
  -- Maximum number of failed operations; one more ends the task. Null: unlimited.
  max_failures int CHECK (max_failures >= 0),
  -- URL notified when the task ends. Null: the URL of the tenant's webhook.
  webhook_url text,
  -- Retry: the outcomes of the operations to retry, and their number.
  include text[] CHECK (include <@ ARRAY['FAILED', 'PARTIAL', 'NOT_ATTEMPTED'] AND include <> '{}'),
  to_execute int CHECK (to_execute > 0),

  created_at timestamptz NOT NULL DEFAULT now(),
  start_order bigint,
  started_at timestamptz,
  validated_at timestamptz,
  running_at timestamptz,
  -- When a batch was last committed.
  progressed_at timestamptz,
  ended_at timestamptz,

  -- Results of pass one (validation).
  file_version text,
  sha256 text,
  total int,
  error_count int NOT NULL DEFAULT 0,
  warning_count int NOT NULL DEFAULT 0,
  -- The first names of operations in the file, as [{"name", "index"}]. Stored only if a template refers to a name that
  -- no earlier operation has, so that the error can list the existing names.
  reference_names json,
  -- Furthest offset that pass one has read, in bytes. If above 0, attempts counts only the claims that reached it.
  read_offset bigint NOT NULL DEFAULT 0,
  -- Concatenated hashes of the file's stretches; null before validation and after pruning.
  stretch_hashes bytea,

  -- Progress of pass two (execution). Operations before the cursor have been executed and logged.
  cursor_index int NOT NULL DEFAULT 0,
  cursor_offset bigint NOT NULL DEFAULT 0,
  succeeded int NOT NULL DEFAULT 0,
  partial int NOT NULL DEFAULT 0,
  failed int NOT NULL DEFAULT 0,
  -- Operations before the cursor that a retry or undo had nothing to do for: they have no log entries.
  skipped int NOT NULL DEFAULT 0,
  created int NOT NULL DEFAULT 0,
  updated int NOT NULL DEFAULT 0,
  unchanged int NOT NULL DEFAULT 0,
  deleted int NOT NULL DEFAULT 0,
  published int NOT NULL DEFAULT 0,
  unpublished int NOT NULL DEFAULT 0,
  -- Failed and partial operations that have since succeeded in a retry.
  repaired int NOT NULL DEFAULT 0,
  error text,
  error_name text,
  stack text,

  owner text,
  epoch int NOT NULL DEFAULT 0,
  lease_until timestamptz,
  -- Claims since the last commit, to detect operations that crash the process.
  attempts int NOT NULL DEFAULT 0,

  -- A held task keeps its place in the queue, but is not executed until it is resumed.
  held_at timestamptz,
  held_because text CHECK (held_because IN ('request', 'operations', 'failures')),
  -- The number of operations after which the task is held. Null: none, or it was already held.
  hold_after int CHECK (hold_after > 0),
  -- The task is held whenever this many operations have failed since it was last resumed. Null: never.
  hold_on_failures int CHECK (hold_on_failures > 0),
  failed_before_resume int NOT NULL DEFAULT 0,

  -- Plan: lower bound of the ids it generates, which are shown as new.
  first_new_id text,
  -- Plan: totals of what its operations would remove.
  destructive json,

  -- True while its before-images are kept. Set when execution starts.
  keeps_before boolean NOT NULL DEFAULT false,
  -- The newest migration when execution started; before-images have the columns of that schema.
  schema_name text,
  -- The last retry (of the task or of its retries), the last undo and, for a plan, the last run that follows it. The
  -- task is not pruned until they have ended.
  last_retry text,
  last_undo text,
  last_run text,
  -- The extent to which undos have undone the task, and the undo that is in effect or has not ended.
  undone text NOT NULL DEFAULT 'none' CHECK (undone IN ('none', 'part', 'whole')),
  undone_by text,
  -- True once pruning has started.
  pruning boolean NOT NULL DEFAULT false,
  -- True once the removal of its before-images has started; the task can no longer be undone.
  pruning_before boolean NOT NULL DEFAULT false,
  -- When the log and the file were removed.
  pruned_at timestamptz,

  PRIMARY KEY (tenant_id, id),
  -- Includes the kind, so that a plan and a run of a file can share an idempotency key.
  CONSTRAINT bulk_tasks_idempotency_key UNIQUE (tenant_id, kind, idempotency_key),
  CHECK ((status = 'pending') = (start_order IS NULL)),
  CHECK ((status IN ('complete', 'error')) = (ended_at IS NOT NULL)),
  CHECK (status NOT IN ('running', 'complete') OR (validated_at IS NOT NULL AND total IS NOT NULL)),
  CHECK (status <> 'complete' OR cursor_index = total),
  CHECK (status <> 'error' OR error_name IS NOT NULL),
  CHECK (owner IS NULL OR status IN ('started', 'running')),
  CHECK ((owner IS NULL) = (lease_until IS NULL)),
  CONSTRAINT bulk_tasks_of_task CHECK (kind IN ('run', 'plan') OR of_task IS NOT NULL),
  CONSTRAINT bulk_tasks_include CHECK ((kind = 'retry') = (include IS NOT NULL)),
  CONSTRAINT bulk_tasks_to_execute CHECK ((kind = 'retry') = (to_execute IS NOT NULL)),
  CONSTRAINT bulk_tasks_counted CHECK (succeeded + partial + failed + skipped = cursor_index),
  CONSTRAINT bulk_tasks_actions
    CHECK (created + updated + unchanged + deleted + published + unpublished = succeeded + partial),
  CONSTRAINT bulk_tasks_repaired CHECK (repaired BETWEEN 0 AND partial + failed),
  CONSTRAINT bulk_tasks_undone CHECK (undone = 'none' OR (undone_by IS NOT NULL AND ended_at IS NOT NULL)),
  CONSTRAINT bulk_tasks_undone_by CHECK (undone_by IS NULL OR kind <> 'plan'),
  CONSTRAINT bulk_tasks_held CHECK ((held_at IS NULL) = (held_because IS NULL)),
  CONSTRAINT bulk_tasks_pruned CHECK (pruned_at IS NULL OR ended_at IS NOT NULL)
);
-- Tasks of a tenant are executed one at a time. Plans do not write the tenant's data, so they run independently of its
-- other tasks.
CREATE UNIQUE INDEX bulk_tasks_one_running ON bulk_tasks (tenant_id) WHERE status = 'running' AND kind <> 'plan';
CREATE UNIQUE INDEX bulk_tasks_one_planning ON bulk_tasks (tenant_id) WHERE status = 'running' AND kind = 'plan';
-- For claims, which read only the first tasks of each tenant.
CREATE INDEX bulk_tasks_to_do ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND kind <> 'plan';
CREATE INDEX bulk_tasks_to_execute ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND kind <> 'plan' AND validated_at IS NOT NULL;
CREATE INDEX bulk_tasks_to_plan ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND kind = 'plan';
CREATE INDEX bulk_tasks_to_validate ON bulk_tasks (tenant_id, start_order)
  WHERE status = 'started' AND validated_at IS NULL;
CREATE INDEX bulk_tasks_of_task ON bulk_tasks (tenant_id, of_task) WHERE of_task IS NOT NULL;
-- A task has at most one retry, which can itself be retried, so every operation has one latest outcome.
CREATE UNIQUE INDEX bulk_tasks_one_retry ON bulk_tasks (tenant_id, of_task) WHERE kind = 'retry';
-- At any time, a task has at most one unfinished undo, and a plan at most one unfinished run.
CREATE UNIQUE INDEX bulk_tasks_one_undo ON bulk_tasks (tenant_id, of_task) WHERE kind = 'undo' AND ended_at IS NULL;
CREATE UNIQUE INDEX bulk_tasks_one_run_of_plan ON bulk_tasks (tenant_id, of_task)
  WHERE kind = 'run' AND of_task IS NOT NULL AND ended_at IS NULL;
CREATE INDEX bulk_tasks_to_prune ON bulk_tasks (ended_at) WHERE ended_at IS NOT NULL AND pruned_at IS NULL;
CREATE INDEX bulk_tasks_plans_to_prune ON bulk_tasks (ended_at)
  WHERE kind = 'plan' AND ended_at IS NOT NULL AND pruned_at IS NULL;
CREATE INDEX bulk_tasks_with_before ON bulk_tasks (tenant_id, ended_at) WHERE keeps_before;

CREATE TABLE bulk_task_issues (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  number int NOT NULL,
  issue json NOT NULL,
  PRIMARY KEY (tenant_id, task_id, number),
  FOREIGN KEY (tenant_id, task_id) REFERENCES bulk_tasks ON DELETE CASCADE
);

-- Operations whose results later operations read, with the index of the last reader.
CREATE TABLE bulk_task_references (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  index int NOT NULL,
  last_reader int NOT NULL,
  PRIMARY KEY (tenant_id, task_id, index),
  FOREIGN KEY (tenant_id, task_id) REFERENCES bulk_tasks ON DELETE CASCADE
);

-- Operation logs, in blocks of operations from first_index (inclusive) to end_index (exclusive).
CREATE TABLE operation_log_blocks (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  first_index int NOT NULL,
  end_index int NOT NULL,
  -- Number of entries per combination of intent, action and status, as parallel arrays.
  intents text[] NOT NULL,
  actions text[] NOT NULL,
  statuses text[] NOT NULL,
  counts int[] NOT NULL,
  -- Uncompressed size of the entries.
  raw_bytes int NOT NULL,
  -- JSON text sequence (RFC 7464), compressed with zstd.
  entries bytea NOT NULL,
  PRIMARY KEY (tenant_id, task_id, first_index),
  CHECK (first_index >= 0 AND first_index < end_index),
  CHECK (cardinality(intents) = cardinality(counts) AND cardinality(actions) = cardinality(counts)
    AND cardinality(statuses) = cardinality(counts))
);
-- Already compressed. PostgreSQL 15 does not support STORAGE in CREATE TABLE.
ALTER TABLE operation_log_blocks ALTER COLUMN entries SET STORAGE EXTERNAL;

-- Log entries of failed and partial operations, for searching and grouping.
CREATE TABLE operation_log_failures (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  index int NOT NULL,
  status text NOT NULL CHECK (status IN ('partial', 'failure')),
  status_code int NOT NULL,
  error_name text NOT NULL,
  intent text NOT NULL,
  -- The error message without the values that vary between operations.
  cause text NOT NULL,
  PRIMARY KEY (tenant_id, task_id, status, index)
);

-- Rows as they were before operations wrote them. Separate from the log, so that they can be removed on their own.
CREATE TABLE operation_before_images (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  -- First and last operation in the row. The images of one operation may span several rows, numbered by `part`.
  first_index int NOT NULL,
  part int NOT NULL,
  last_index int NOT NULL,
  -- Uncompressed size of the images.
  raw_bytes int NOT NULL,
  -- JSON text sequence (RFC 7464), compressed with zstd.
  images bytea NOT NULL,
  -- Keys of images whose rows the operations removed, or null. Their files are kept while an undo can restore the rows.
  image_keys text[],
  PRIMARY KEY (tenant_id, task_id, first_index, part),
  CHECK (first_index >= 0 AND first_index <= last_index AND part >= 0)
);
-- Already compressed. PostgreSQL 15 does not support STORAGE in CREATE TABLE.
ALTER TABLE operation_before_images ALTER COLUMN images SET STORAGE EXTERNAL;
CREATE INDEX operation_before_images_of_files ON operation_before_images USING gin (image_keys)
  WHERE image_keys IS NOT NULL;

-- Webhooks

-- One webhook per tenant: the secret that signs events, and the URL for tasks without their own.
CREATE TABLE webhooks (
  tenant_id text PRIMARY KEY,
  -- Null: only tasks with their own URL have events.
  url text,
  -- Encrypted with the key key_id, which is derived from the service's signing key.
  secret bytea NOT NULL,
  -- Still signs, together with the new secret, until previous_until.
  previous_secret bytea,
  previous_until timestamptz,
  key_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  rotated_at timestamptz,
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);

-- Webhook deliveries, pending and past: at most one event per task, for its end.
CREATE TABLE webhook_events (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  url text NOT NULL,
  host text NOT NULL GENERATED ALWAYS AS (substring(url FROM '^[a-z]+://([^/?#]+)')) STORED,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'dropped')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When to try next; while a runner has claimed the event, the end of its claim.
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Number of claims. Only the latest claim may update the row.
  claims int NOT NULL DEFAULT 0,
  -- [{at, durationMs, statusCode, error}]
  tries jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (tenant_id, task_id)
);
CREATE INDEX webhook_events_pending ON webhook_events (tenant_id, due_at) WHERE status = 'pending';
CREATE INDEX webhook_events_by_age ON webhook_events (created_at);

-- A trigger, so that every statement that ends a task writes the event. Locks the tenant's row, as every writer of a
-- tenant's rows does; writes nothing if the tenant is being deleted.
CREATE FUNCTION add_webhook_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM FROM webhooks w JOIN tenants t ON t.id = w.tenant_id
    WHERE w.tenant_id = NEW.tenant_id AND t.identifier IS NOT NULL AND coalesce(NEW.webhook_url, w.url) IS NOT NULL
    FOR KEY SHARE OF t;
  IF FOUND THEN
    INSERT INTO webhook_events (tenant_id, task_id, url)
      SELECT NEW.tenant_id, NEW.id, coalesce(NEW.webhook_url, w.url) FROM webhooks w
      WHERE w.tenant_id = NEW.tenant_id AND coalesce(NEW.webhook_url, w.url) IS NOT NULL;
    PERFORM pg_notify('lading_tasks', '');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_task_ended AFTER UPDATE OF ended_at ON bulk_tasks FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.kind <> 'plan')
  EXECUTE FUNCTION add_webhook_event();

-- Updates `undone` of an undo's task when the undo undoes its first operations, and when it ends; if that task is
-- itself an undo, continues with its task, and so on. An undo is whole if, when it ends, everything its task did is
-- undone, by it or by earlier undos, none of which has since been undone, even partly. Rows are locked in the order
-- from undo to task. Every row is written, changed or not, so that transactions that read the same undos conflict.
CREATE FUNCTION set_undone() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE
  task bulk_tasks := NEW;
BEGIN
  WHILE task.kind = 'undo' LOOP
    PERFORM FROM bulk_tasks WHERE tenant_id = task.tenant_id AND id = task.of_task FOR NO KEY UPDATE;
    UPDATE bulk_tasks t SET (undone, undone_by) = (
        SELECT CASE WHEN bool_or(u.has_undone) IS NOT TRUE THEN 'none' WHEN bool_or(u.is_whole) THEN 'whole'
            ELSE 'part' END,
          (array_agg(u.id ORDER BY u.ended_at IS NULL DESC, u.is_whole DESC, u.id DESC)
            FILTER (WHERE u.ended_at IS NULL OR u.has_undone))[1]
        FROM (SELECT w.id, w.ended_at, w.succeeded + w.partial > 0 AS has_undone,
            w.status = 'complete' AND w.failed = 0 AND w.undone = 'none' AND NOT EXISTS (
              SELECT FROM bulk_tasks e JOIN bulk_tasks r ON r.tenant_id = e.tenant_id AND r.of_task = e.id
              WHERE e.tenant_id = t.tenant_id AND e.of_task = t.id AND e.kind = 'undo' AND e.id < w.id
                AND r.kind = 'undo' AND r.id > w.id AND r.succeeded + r.partial > 0 AND r.undone <> 'whole') AS is_whole
          FROM bulk_tasks w WHERE w.tenant_id = t.tenant_id AND w.of_task = t.id AND w.kind = 'undo'
            AND w.undone <> 'whole') u)
      WHERE t.tenant_id = task.tenant_id AND t.id = task.of_task
      RETURNING * INTO task;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_task_undone AFTER UPDATE OF ended_at, succeeded, partial ON bulk_tasks FOR EACH ROW
  WHEN (NEW.kind = 'undo' AND (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
    OR OLD.succeeded + OLD.partial = 0 AND NEW.succeeded + NEW.partial > 0))
  EXECUTE FUNCTION set_undone();
