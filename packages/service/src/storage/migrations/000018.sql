ALTER TABLE bulk_tasks
  DROP COLUMN turn,
  -- How far pass one came, in bytes. While that is more than 0, attempts counts only claims that came as far.
  ADD COLUMN read_offset bigint NOT NULL DEFAULT 0,
  -- A hash of each stretch of the file, one after the other; null: not validated, or before there were any.
  ADD COLUMN stretch_hashes bytea;

-- Runners go round the tenants that have something to do, each on its own: no turns are stored.
DROP SEQUENCE bulk_task_turn;

-- A claim looks at the first tasks of each tenant, and at no others.
DROP INDEX bulk_tasks_to_do;
CREATE INDEX bulk_tasks_to_do ON bulk_tasks (tenant_id, start_order) WHERE status IN ('started', 'running');
CREATE INDEX bulk_tasks_to_execute ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND validated_at IS NOT NULL;
CREATE INDEX bulk_tasks_to_validate ON bulk_tasks (tenant_id, start_order)
  WHERE status = 'started' AND validated_at IS NULL;

-- How many started tasks a tenant may have that have not ended.
UPDATE tenants SET settings = (settings::jsonb || '{"maxWaitingTasks": 10000}')::json;
