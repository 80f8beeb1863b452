-- Tenants take turns. When a task of the tenant was last given to a runner, to be validated and to be executed: numbers
-- of bulk_task_turn; no row: never. (The name comes after bulk_tasks: whoever deletes a tenant locks rows in the order
-- of the tables, and so does a claim.)
CREATE TABLE task_queues (
  tenant_id text PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  validated bigint NOT NULL DEFAULT 0,
  executed bigint NOT NULL DEFAULT 0
);

ALTER TABLE bulk_tasks
  DROP COLUMN turn,
  -- How far pass one came, in bytes. While that is more than 0, attempts counts only claims that came as far.
  ADD COLUMN read_offset bigint NOT NULL DEFAULT 0,
  -- A hash of each stretch of the file, one after the other; null: not validated, or before there were any.
  ADD COLUMN stretch_hashes bytea;

-- A claim looks at the first tasks of each tenant, and at no others.
DROP INDEX bulk_tasks_to_do;
CREATE INDEX bulk_tasks_to_do ON bulk_tasks (tenant_id, start_order) WHERE status IN ('started', 'running');
CREATE INDEX bulk_tasks_to_validate ON bulk_tasks (tenant_id, start_order)
  WHERE status = 'started' AND validated_at IS NULL;

-- How many started tasks a tenant may have that have not ended.
UPDATE tenants SET settings = (settings::jsonb || '{"maxWaitingTasks": 10000}')::json;
