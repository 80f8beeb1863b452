-- Tasks that start at a date

ALTER TABLE bulk_tasks
  -- When a pending task starts, by the database's clock. Null: on request.
  ADD COLUMN start_at timestamptz,
  -- The date of the request that created the task: detects a different request with the same idempotency key.
  ADD COLUMN requested_start_at timestamptz,
  -- The file of a task with a date is validated while the task is pending.
  DROP CONSTRAINT bulk_tasks_check5,
  ADD CONSTRAINT bulk_tasks_owner CHECK (owner IS NULL OR ended_at IS NULL);
CREATE INDEX bulk_tasks_dated ON bulk_tasks (start_at) WHERE status = 'pending' AND start_at IS NOT NULL;
DROP INDEX bulk_tasks_to_validate;
CREATE INDEX bulk_tasks_to_validate ON bulk_tasks (tenant_id, start_order)
  WHERE validated_at IS NULL AND (status = 'started' OR status = 'pending' AND start_at IS NOT NULL);
