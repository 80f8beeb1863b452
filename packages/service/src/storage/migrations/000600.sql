-- Reads that take no longer in a large tenant than in a small one

-- For each list that is filtered by a column: the index has its order. That of shapes is for the foreign key, too.
CREATE INDEX items_of_shape ON items (tenant_id, shape_identifier, id);
CREATE INDEX items_of_type ON items (tenant_id, type, id);
CREATE INDEX item_contents_published ON item_contents (tenant_id, language, item_id) WHERE version = 'published';
CREATE INDEX product_variants_external_reference ON product_variants (tenant_id, external_reference, sku)
  WHERE external_reference IS NOT NULL;
CREATE INDEX customers_of_type ON customers (tenant_id, type, identifier);
CREATE INDEX orders_of_type ON orders (tenant_id, type, id) WHERE type IS NOT NULL;
CREATE INDEX orders_by_payment ON orders (tenant_id, payment_status, id) WHERE payment_status IS NOT NULL;
CREATE INDEX subscription_contracts_of_sku ON subscription_contracts (tenant_id, sku, id);
CREATE INDEX subscription_contracts_of_plan ON subscription_contracts (tenant_id, plan_identifier, id);
CREATE INDEX images_of_type ON images (tenant_id, mime_type, key);
CREATE INDEX bulk_tasks_by_status ON bulk_tasks (tenant_id, status, id);
CREATE INDEX bulk_tasks_of_kind ON bulk_tasks (tenant_id, kind, id);
CREATE INDEX webhook_events_by_status ON webhook_events (tenant_id, status, task_id);
CREATE INDEX audit_trail_of_subject ON audit_trail (tenant_id, subject_id, id);
CREATE INDEX audit_trail_of_action ON audit_trail (tenant_id, action, id);

-- For pairs of a key and a value. Few customers and orders have any.
CREATE INDEX customers_external_references ON customers USING gin (external_references jsonb_path_ops)
  WHERE external_references <> '[]';
CREATE INDEX orders_meta ON orders USING gin (meta jsonb_path_ops) WHERE meta <> '[]';

-- For the items of a stage, and for the foreign keys to the stage and to its flow.
DROP INDEX flow_items_of_stage;
CREATE INDEX flow_items_of_stage ON flow_items (tenant_id, flow_identifier, stage_identifier, sort_key);

-- A plan that is kept is made for the average value. Where most rows have the same one, it would read all of them for
-- any other.
ALTER TABLE items ALTER COLUMN shape_identifier SET (n_distinct = 100);
ALTER TABLE flow_items ALTER COLUMN flow_identifier SET (n_distinct = 4),
  ALTER COLUMN stage_identifier SET (n_distinct = 100);
