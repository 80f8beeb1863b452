-- Topics, flows, and the further paths of items.

-- A topic; what it is called in a language is in topic_contents. Root topics have no parent.
CREATE TABLE topics (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
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

-- Until now items named topics that could not exist.
ALTER TABLE items DROP COLUMN topic_ids;

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

-- The former paths of an item in a language: a list of text, the newest last.
CREATE TABLE item_histories (
  tenant_id text NOT NULL,
  item_id text NOT NULL,
  language text NOT NULL,
  paths json NOT NULL,
  PRIMARY KEY (tenant_id, item_id, language),
  CONSTRAINT item_histories_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);

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

CREATE TABLE flows (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
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
  CONSTRAINT flow_stages_flow FOREIGN KEY (tenant_id, flow_identifier) REFERENCES flows DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX flow_stages_of_flow ON flow_stages (tenant_id, flow_identifier);

-- An item in a flow is in one stage of it. An empty language stands for the item as a whole.
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
  CONSTRAINT flow_items_stage FOREIGN KEY (tenant_id, stage_identifier) REFERENCES flow_stages
    DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT flow_items_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX flow_items_of_item ON flow_items (tenant_id, item_id);
CREATE INDEX flow_items_of_stage ON flow_items (tenant_id, stage_identifier, sort_key);

-- Who stands under a customer or group: few have parents, and only they are in here.
CREATE INDEX customers_parents ON customers USING gin ((parents::jsonb) jsonb_path_ops) WHERE parents::text <> '[]';
CREATE INDEX customer_groups_parents ON customer_groups USING gin ((parents::jsonb) jsonb_path_ops)
  WHERE parents::text <> '[]';
