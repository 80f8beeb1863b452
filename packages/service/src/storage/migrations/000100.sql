-- The schema of the first release; later migrations change it. Every key begins with the tenant. Unique keys and
-- foreign keys are checked at commit, so that a batch may swap keys and write parents and children in any order.
-- No table refers to tenants: every transaction that writes rows of a tenant holds the tenant's row itself, once,
-- instead of a check for each new row.

-- Tenants, and who may do what in them

CREATE TABLE tenants (
  id text PRIMARY KEY,
  -- Null while the tenant is being deleted: it is not found, its name is free, and open transactions that write for it
  -- meet a conflict (identifier is a key). The row is deleted last, after all others of the tenant.
  identifier text UNIQUE,
  name text NOT NULL,
  root_item_id text NOT NULL,
  -- What the operator sets.
  limits json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tenants_limits CHECK ((
    (limits->>'uploadMaxBytes')::bigint > 0
    AND (limits->>'uploadLifetimeSeconds')::int > 0
    AND (limits->>'maxWaitingTasks')::int > 0
    AND (limits->>'keepBeforeDays')::int >= 0
  ) IS TRUE)
);

-- What operations name of a tenant's settings, one row each: the unit of work writes it like other rows. The order of a
-- list is that of `position`; the first is the default.
CREATE TABLE settings (
  tenant_id text NOT NULL,
  list text NOT NULL CHECK (list IN (
    'languages', 'vatTypes', 'priceVariants', 'stockLocations', 'markets', 'subscriptionPlans', 'pipelines'
  )),
  -- The value by which operations name it.
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
  -- To the minute: a token that is used all the time is not written all the time.
  last_used_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);

-- Sessions of browsers: each row lets one session use one access token of a tenant. A session that has several tenants
-- has as many rows with one hash. A row ends with its token.
CREATE TABLE console_sessions (
  tenant_id text NOT NULL,
  -- The SHA-256 of what the cookie has.
  hash text NOT NULL,
  -- Names the row in the audit trail, and grows with time.
  id text NOT NULL,
  token_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT console_sessions_token FOREIGN KEY (tenant_id, token_id) REFERENCES access_tokens ON DELETE CASCADE
);
CREATE INDEX console_sessions_of_token ON console_sessions (tenant_id, token_id, id);
CREATE INDEX console_sessions_by_hash ON console_sessions (hash);
CREATE INDEX console_sessions_by_expiry ON console_sessions (expires_at);

-- Codes that open a session once, for the token that made them.
CREATE TABLE console_codes (
  tenant_id text NOT NULL,
  -- The SHA-256 of the code.
  hash text NOT NULL,
  -- Grows with time.
  id text NOT NULL,
  token_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT console_codes_token FOREIGN KEY (tenant_id, token_id) REFERENCES access_tokens ON DELETE CASCADE
);
CREATE INDEX console_codes_of_token ON console_codes (tenant_id, token_id, id);
CREATE INDEX console_codes_by_hash ON console_codes (hash);
CREATE INDEX console_codes_by_expiry ON console_codes (expires_at);

-- Who did what: kept also of tenants that are gone.
CREATE TABLE audit_trail (
  tenant_id text NOT NULL,
  -- Grows with time.
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
-- The operator reads the trail of all tenants, newest first.
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

-- A topic; what it is called in a language is in topic_contents. Root topics have no parent.
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
  -- The topic's parent, repeated here to keep the path identifier unique under it; empty at the root.
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

-- A folder, document or product. The root folder of a tenant has neither parent nor shape.
CREATE TABLE items (
  tenant_id text NOT NULL,
  id text NOT NULL,
  type text NOT NULL CHECK (type IN ('product', 'document', 'folder')),
  shape_identifier text,
  parent_id text,
  -- Sorts among the children of the parent (a fractional index: there is always a key between two).
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

-- What an item says in one language: the draft that is worked on, and the copy that was published last.
-- The draft owns the item's location in the paths: its segment is unique under the parent. The path of what is
-- published is made of published segments. A published version has a segment of its own only while it differs from its
-- draft's, and its parent with it, so that one constraint holds the segments of both kinds.
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
  -- The variants as they were published, without price and stock (published_variants); a draft's are product_variants.
  variants json,
  -- A draft knows if it is published: renaming it looks for the published version only then, and meets a conflict with
  -- a first publishing at that moment.
  is_published boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, item_id, language, version),
  CONSTRAINT item_contents_path UNIQUE (tenant_id, parent_id, language, segment) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT item_contents_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT item_contents_place CHECK ((parent_id IS NULL) = (segment IS NULL)),
  CONSTRAINT item_contents_is_published CHECK (version = 'draft' OR NOT is_published)
);
-- To search the names without reading the rows.
CREATE INDEX item_contents_names ON item_contents (tenant_id, name COLLATE "C") WHERE version = 'draft';

-- Another path that leads to an item. Of a language, each leads to one item.
CREATE TABLE item_aliases (
  tenant_id text NOT NULL,
  language text NOT NULL,
  path text NOT NULL,
  item_id text NOT NULL,
  PRIMARY KEY (tenant_id, language, path),
  CONSTRAINT item_aliases_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX item_aliases_of_item ON item_aliases (tenant_id, item_id);

-- The former paths of an item in a language, one to a row and in the order of their positions, the newest last. Paths
-- of deep folders are longer than an index takes, so they are found by their SHA-256.
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

-- A further parent of an item. The sort key is of one kind with those of the children.
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

-- The topics of an item, in their order.
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

-- The published price and stock of variants, once for all languages. A variant that was deleted stays in the published
-- versions until they are published again, and its row with it: hence no reference to product_variants.
CREATE TABLE published_variants (
  tenant_id text NOT NULL,
  variant_id text NOT NULL,
  product_id text NOT NULL,
  -- The languages whose published version holds a copy of the variant.
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

-- Items are put into a stage by its identifier alone, so it is unique in the tenant.
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
  -- For the reference of flow_items.
  CONSTRAINT flow_stages_in_flow UNIQUE (tenant_id, flow_identifier, identifier),
  CONSTRAINT flow_stages_flow FOREIGN KEY (tenant_id, flow_identifier) REFERENCES flows DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX flow_stages_of_flow ON flow_stages (tenant_id, flow_identifier);

-- An item in a flow is in one stage of it, also where another writer gives the stage to another flow at that moment. An
-- empty language stands for the item as a whole.
CREATE TABLE flow_items (
  tenant_id text NOT NULL,
  flow_identifier text NOT NULL,
  item_id text NOT NULL,
  language text NOT NULL,
  stage_identifier text NOT NULL,
  -- Grows with the time of entering the stage.
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

-- Images that are registered: files of the tenant's media store that were seen to be images. A key is written once,
-- so what is said of one stays true. A drawing (SVG) may have no size of its own.
CREATE TABLE images (
  tenant_id text NOT NULL,
  key text NOT NULL,
  resource_identifier text,
  mime_type text NOT NULL CHECK (mime_type LIKE 'image/%'),
  width int CHECK (width > 0),
  height int CHECK (height > 0),
  size bigint NOT NULL CHECK (size > 0),
  -- The SHA-256 of the file, in hexadecimal: an operation that uploads a file with it uses the image. Null where the
  -- file is larger than what operations upload: it is not computed then.
  sha256 text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key),
  CONSTRAINT images_resource_identifier UNIQUE (tenant_id, resource_identifier) DEFERRABLE INITIALLY DEFERRED,
  CHECK (mime_type = 'image/svg+xml' OR (width IS NOT NULL AND height IS NOT NULL))
);
CREATE INDEX images_sha256 ON images (tenant_id, sha256);

-- Images that tasks fetch: noted before they are stored, so that what no operation came to register is found and
-- deleted, whichever process fetched it. What a task noted is forgotten when it has ended.
CREATE TABLE fetched_images (
  tenant_id text NOT NULL,
  key text NOT NULL,
  task_id text NOT NULL,
  -- True: an undo has removed its row, and its file may be one that a client has uploaded; then it stays.
  released boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, key)
);
CREATE INDEX fetched_images_of_task ON fetched_images (tenant_id, task_id);
-- Every transaction that writes rows of a tenant asks if images were released.
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
-- To search the addresses without reading the rows.
CREATE INDEX customers_emails ON customers (tenant_id, email) WHERE email IS NOT NULL;
-- Who stands under a customer or group: few have parents, and only they are in here.
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
  -- What was agreed on. It outlives the variant, as the line of an order does.
  sku text NOT NULL,
  item json NOT NULL,
  initial json,
  recurring json NOT NULL,
  activate_at timestamptz,
  active_until timestamptz,
  renew_at timestamptz,
  signed_at timestamptz,
  -- A contract that was paused or cancelled with immediate effect, whatever its dates.
  halted text CHECK (halted IN ('paused', 'cancelled')),
  -- Whether it was ever renewed, which ends its initial phase.
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

-- What was used of what a contract's plan measures.
CREATE TABLE subscription_contract_usages (
  tenant_id text NOT NULL,
  id text NOT NULL,
  contract_id text NOT NULL,
  metered_variable_identifier text NOT NULL,
  quantity float8 NOT NULL,
  description text,
  -- What was noted under a key is not noted again.
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

-- A variant that a price list selects, with prices of its own if it has any there. Who deletes a variant takes it out
-- of the price lists first.
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

-- Owner, epoch and lease are the only authority over who executes a task.
CREATE TABLE bulk_tasks (
  tenant_id text NOT NULL,
  id text NOT NULL,
  type text NOT NULL CHECK (type = 'massOperation'),
  -- A run executes a file; a plan shows what that would do; retries and undos are of another task.
  kind text NOT NULL DEFAULT 'run' CHECK (kind IN ('run', 'plan', 'retry', 'undo')),
  -- The task that this one retries or undoes; of a plan, the task that it plans to undo; of a run, the plan that it
  -- follows.
  of_task text,
  status text NOT NULL CHECK (status IN ('pending', 'started', 'running', 'complete', 'error')),

  -- The request that created it.
  key text NOT NULL,
  etag text NOT NULL,
  -- Whether it asked for the start, to tell the same request from another under one idempotency key.
  auto_start boolean NOT NULL DEFAULT false,
  -- Whether every warning about the file is an error.
  strict boolean NOT NULL DEFAULT false,
  -- A second creation with the same key answers the same task.
  idempotency_key text CHECK (idempotency_key <> ''),
  -- The task ends when more operations than this have failed; null: never for that reason.
  max_failures int CHECK (max_failures >= 0),
  -- The URL notified when the task ends; null: that of the tenant's webhook.
  webhook_url text,
  -- Of a retry: the outcomes whose operations it executes again, and their number.
  include text[] CHECK (include <@ ARRAY['FAILED', 'PARTIAL', 'NOT_ATTEMPTED'] AND include <> '{}'),
  to_execute int CHECK (to_execute > 0),

  created_at timestamptz NOT NULL DEFAULT now(),
  start_order bigint,
  started_at timestamptz,
  validated_at timestamptz,
  running_at timestamptz,
  -- The last commit of a batch.
  progressed_at timestamptz,
  ended_at timestamptz,

  -- What pass one found.
  file_version text,
  sha256 text,
  total int,
  error_count int NOT NULL DEFAULT 0,
  warning_count int NOT NULL DEFAULT 0,
  -- The first names that operations of the file have, as [{"name", "index"}]: kept where a template reads a name that
  -- no operation before it has, so that its failure can say which ones there are.
  reference_names json,
  -- How far pass one came, in bytes. While that is more than 0, attempts counts only claims that came as far.
  read_offset bigint NOT NULL DEFAULT 0,
  -- A hash of each stretch of the file, one after the other; null before validation and once pruned.
  stretch_hashes bytea,

  -- What pass two has done: the operations before the cursor are executed and logged.
  cursor_index int NOT NULL DEFAULT 0,
  cursor_offset bigint NOT NULL DEFAULT 0,
  succeeded int NOT NULL DEFAULT 0,
  partial int NOT NULL DEFAULT 0,
  failed int NOT NULL DEFAULT 0,
  -- Operations before the cursor that were not to be executed: they have no entries in the log.
  skipped int NOT NULL DEFAULT 0,
  created int NOT NULL DEFAULT 0,
  updated int NOT NULL DEFAULT 0,
  unchanged int NOT NULL DEFAULT 0,
  deleted int NOT NULL DEFAULT 0,
  published int NOT NULL DEFAULT 0,
  unpublished int NOT NULL DEFAULT 0,
  -- Failed and partial operations that a retry has executed successfully since.
  repaired int NOT NULL DEFAULT 0,
  error text,
  error_name text,
  stack text,

  owner text,
  epoch int NOT NULL DEFAULT 0,
  lease_until timestamptz,
  -- Claims since the last commit: an operation that ends its process is found by it.
  attempts int NOT NULL DEFAULT 0,

  -- A held task keeps its turn, and no runner takes it until it is resumed.
  held_at timestamptz,
  held_because text CHECK (held_because IN ('request', 'operations', 'failures')),
  -- Number of executed operations after which it is held; null: it is not, or was.
  hold_after int CHECK (hold_after > 0),
  -- Number of failed operations since it was last resumed after which it is held.
  hold_on_failures int CHECK (hold_on_failures > 0),
  failed_before_resume int NOT NULL DEFAULT 0,

  -- Of a plan: the ids that it makes are not below this one. What it made up is shown as new.
  first_new_id text,
  -- Of a plan: sums of what its operations would take away.
  destructive json,

  -- True while its before-images are kept: decided when its execution begins.
  keeps_before boolean NOT NULL DEFAULT false,
  -- The newest migration when its execution began: its before-images have the columns of that schema.
  schema_name text,
  -- The last of its retries, and of theirs, its last undo and, of a plan, the last run that follows it: what the task
  -- has left is not pruned before these have ended.
  last_retry text,
  last_undo text,
  last_run text,
  -- How much of what the task has done its undos have undone, and the undo that is in effect or has not ended.
  undone text NOT NULL DEFAULT 'none' CHECK (undone IN ('none', 'part', 'whole')),
  undone_by text,
  -- True once a prune has removed something.
  pruning boolean NOT NULL DEFAULT false,
  -- True once the removal of its before-images has begun: a task that has lost some cannot be undone.
  pruning_before boolean NOT NULL DEFAULT false,
  -- When the log and the file of the ended task were removed.
  pruned_at timestamptz,

  PRIMARY KEY (tenant_id, id),
  -- An idempotency key belongs to a kind: a file can be planned and run under the same one.
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
-- Tasks of one tenant are executed one at a time. Plans write nothing of the tenant's, so that they neither wait for
-- its other tasks nor hold them up.
CREATE UNIQUE INDEX bulk_tasks_one_running ON bulk_tasks (tenant_id) WHERE status = 'running' AND kind <> 'plan';
CREATE UNIQUE INDEX bulk_tasks_one_planning ON bulk_tasks (tenant_id) WHERE status = 'running' AND kind = 'plan';
-- A claim looks at the first tasks of each tenant, and at no others.
CREATE INDEX bulk_tasks_to_do ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND kind <> 'plan';
CREATE INDEX bulk_tasks_to_execute ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND kind <> 'plan' AND validated_at IS NOT NULL;
CREATE INDEX bulk_tasks_to_plan ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND kind = 'plan';
CREATE INDEX bulk_tasks_to_validate ON bulk_tasks (tenant_id, start_order)
  WHERE status = 'started' AND validated_at IS NULL;
CREATE INDEX bulk_tasks_of_task ON bulk_tasks (tenant_id, of_task) WHERE of_task IS NOT NULL;
-- A task has one retry at most, which can have one in turn: each operation has a latest outcome.
CREATE UNIQUE INDEX bulk_tasks_one_retry ON bulk_tasks (tenant_id, of_task) WHERE kind = 'retry';
-- A task is undone by one other at a time, and a plan followed by one run.
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

-- Which operation's result is read by later ones, and by which one last.
CREATE TABLE bulk_task_references (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  index int NOT NULL,
  last_reader int NOT NULL,
  PRIMARY KEY (tenant_id, task_id, index),
  FOREIGN KEY (tenant_id, task_id) REFERENCES bulk_tasks ON DELETE CASCADE
);

-- The log of a task in blocks: one row has the entries of the operations from first_index to before end_index.
CREATE TABLE operation_log_blocks (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  first_index int NOT NULL,
  end_index int NOT NULL,
  -- How many entries have which intent, action and status: one element for each combination.
  intents text[] NOT NULL,
  actions text[] NOT NULL,
  statuses text[] NOT NULL,
  counts int[] NOT NULL,
  -- The size of the entries before they were compressed.
  raw_bytes int NOT NULL,
  -- A JSON text sequence (RFC 7464), compressed by zstd: the database does not try again.
  entries bytea NOT NULL,
  PRIMARY KEY (tenant_id, task_id, first_index),
  CHECK (first_index >= 0 AND first_index < end_index),
  CHECK (cardinality(intents) = cardinality(counts) AND cardinality(actions) = cardinality(counts)
    AND cardinality(statuses) = cardinality(counts))
);
-- Compressed already. PostgreSQL 15 takes no STORAGE in CREATE TABLE.
ALTER TABLE operation_log_blocks ALTER COLUMN entries SET STORAGE EXTERNAL;

-- The entries that are not a success, to find and to group them by.
CREATE TABLE operation_log_failures (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  index int NOT NULL,
  status text NOT NULL CHECK (status IN ('partial', 'failure')),
  status_code int NOT NULL,
  error_name text NOT NULL,
  intent text NOT NULL,
  -- The message without the values that differ from one operation to the next.
  cause text NOT NULL,
  PRIMARY KEY (tenant_id, task_id, status, index)
);

-- The rows that operations wrote, as they were before: apart from the log's blocks, to be deleted without them.
CREATE TABLE operation_before_images (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  -- The operations whose images a row has; the images of one operation may take several rows, by `part`.
  first_index int NOT NULL,
  part int NOT NULL,
  last_index int NOT NULL,
  -- The size of the images before they were compressed.
  raw_bytes int NOT NULL,
  -- A JSON text sequence (RFC 7464), compressed by zstd.
  images bytea NOT NULL,
  -- The keys of the pictures whose rows the operations have removed; null without any. Their files stay as long as an
  -- undo can bring the rows back.
  image_keys text[],
  PRIMARY KEY (tenant_id, task_id, first_index, part),
  CHECK (first_index >= 0 AND first_index <= last_index AND part >= 0)
);
-- Compressed already. PostgreSQL 15 takes no STORAGE in CREATE TABLE.
ALTER TABLE operation_before_images ALTER COLUMN images SET STORAGE EXTERNAL;
CREATE INDEX operation_before_images_of_files ON operation_before_images USING gin (image_keys)
  WHERE image_keys IS NOT NULL;

-- Webhooks

-- The webhook of a tenant: the secret that signs events, and the address for tasks that name none.
CREATE TABLE webhooks (
  tenant_id text PRIMARY KEY,
  -- Null: only tasks that name an address of their own have an event.
  url text,
  -- Encrypted; key_id names the key, which follows from the service's signing key.
  secret bytea NOT NULL,
  -- The previous secret, which signs too until `previous_until`.
  previous_secret bytea,
  previous_until timestamptz,
  key_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  rotated_at timestamptz,
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);

-- Webhook events of tasks' ends, sent and to be sent: at most one per task.
CREATE TABLE webhook_events (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  url text NOT NULL,
  host text NOT NULL GENERATED ALWAYS AS (substring(url FROM '^[a-z]+://([^/?#]+)')) STORED,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'dropped')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The time of the next try, or until when a runner has claimed the event.
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- How often it was claimed: only the last claim may write.
  claims int NOT NULL DEFAULT 0,
  -- [{at, durationMs, statusCode, error}]
  tries jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (tenant_id, task_id)
);
CREATE INDEX webhook_events_pending ON webhook_events (tenant_id, due_at) WHERE status = 'pending';
CREATE INDEX webhook_events_by_age ON webhook_events (created_at);

-- Every statement that ends a task writes its event, whichever process sent it. The row of the tenant is held, as by
-- everything that writes rows of a tenant; of one that is being deleted nothing is written.
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

-- An undo that undoes its first operations, or ends, changes how much of its task is undone; where that task is an
-- undo, the trigger continues with the task of that, and so on. An undo is whole when all that its task has done is
-- undone at its end, by it or by undos before it, and none of these was undone since, even in part. Rows are locked
-- from an undo to its task. Each is written, changed or not, so that two transactions that read the same undos
-- conflict.
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
