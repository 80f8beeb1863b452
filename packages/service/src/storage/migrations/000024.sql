-- The kinds of bulk task: a run executes a file; a plan shows what that would do; retries and undos are of another task.
ALTER TABLE bulk_tasks
  ADD COLUMN kind text NOT NULL DEFAULT 'run' CHECK (kind IN ('run', 'plan', 'retry', 'undo')),
  -- The task that this one retries or undoes; of a plan, the task that it plans to undo.
  ADD COLUMN of_task text,
  -- Operations before the cursor that were not to be executed: they have no entries in the log.
  ADD COLUMN skipped int NOT NULL DEFAULT 0,
  ADD CONSTRAINT bulk_tasks_of_task CHECK (
    CASE kind WHEN 'run' THEN of_task IS NULL WHEN 'plan' THEN true ELSE of_task IS NOT NULL END),
  DROP CONSTRAINT bulk_tasks_check7,
  ADD CONSTRAINT bulk_tasks_counted CHECK (succeeded + partial + failed + skipped = cursor_index),
  -- An idempotency key belongs to a kind: a file can be planned and run under the same one.
  DROP CONSTRAINT bulk_tasks_idempotency_key,
  ADD CONSTRAINT bulk_tasks_idempotency_key UNIQUE (tenant_id, kind, idempotency_key);
CREATE INDEX bulk_tasks_of_task ON bulk_tasks (tenant_id, of_task) WHERE of_task IS NOT NULL;

-- Plans write nothing of the tenant's, so that they neither wait for its other tasks nor hold them up.
DROP INDEX bulk_tasks_one_running, bulk_tasks_to_do, bulk_tasks_to_execute;
CREATE UNIQUE INDEX bulk_tasks_one_running ON bulk_tasks (tenant_id) WHERE status = 'running' AND kind <> 'plan';
CREATE UNIQUE INDEX bulk_tasks_one_planning ON bulk_tasks (tenant_id) WHERE status = 'running' AND kind = 'plan';
CREATE INDEX bulk_tasks_to_do ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND kind <> 'plan';
CREATE INDEX bulk_tasks_to_execute ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND kind <> 'plan' AND validated_at IS NOT NULL;
CREATE INDEX bulk_tasks_to_plan ON bulk_tasks (tenant_id, start_order)
  WHERE status IN ('started', 'running') AND kind = 'plan';
