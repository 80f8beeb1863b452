-- What a fleet needs to know of a task: limits, when it last moved, whose turn it is, and what was removed of it.

CREATE SEQUENCE bulk_task_turn;

ALTER TABLE bulk_tasks
  -- The task ends when more operations than this have failed; null: never for that reason.
  ADD COLUMN max_failures int CHECK (max_failures >= 0),
  -- A second creation with the same key answers the same task.
  ADD COLUMN idempotency_key text CHECK (idempotency_key <> ''),
  -- The last commit of a batch.
  ADD COLUMN progressed_at timestamptz,
  -- Grows when a runner gives the task back for others: who has had no turn yet goes first.
  ADD COLUMN turn bigint NOT NULL DEFAULT 0,
  -- When the log and the file of the ended task were removed.
  ADD COLUMN pruned_at timestamptz,
  ADD CONSTRAINT bulk_tasks_idempotency_key UNIQUE (tenant_id, idempotency_key),
  ADD CONSTRAINT bulk_tasks_pruned CHECK (pruned_at IS NULL OR ended_at IS NOT NULL);
CREATE INDEX bulk_tasks_to_prune ON bulk_tasks (ended_at) WHERE ended_at IS NOT NULL AND pruned_at IS NULL;
