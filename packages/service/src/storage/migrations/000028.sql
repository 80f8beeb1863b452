-- Retries execute operations of an earlier task again: those that failed, were partial, or were not attempted.
ALTER TABLE bulk_tasks
  ADD COLUMN include text[] CHECK (include <@ ARRAY['FAILED', 'PARTIAL', 'NOT_ATTEMPTED'] AND include <> '{}'),
  -- The number of operations that a retry executes.
  ADD COLUMN to_execute int CHECK (to_execute > 0),
  -- The last of its retries, and of theirs: while that has not ended, nothing of this task is pruned.
  ADD COLUMN last_retry text,
  -- Failed and partial operations that a retry has executed successfully since.
  ADD COLUMN repaired int NOT NULL DEFAULT 0,
  -- True once a prune has removed something.
  ADD COLUMN pruning boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT bulk_tasks_include CHECK ((kind = 'retry') = (include IS NOT NULL)),
  ADD CONSTRAINT bulk_tasks_to_execute CHECK ((kind = 'retry') = (to_execute IS NOT NULL)),
  ADD CONSTRAINT bulk_tasks_repaired CHECK (repaired BETWEEN 0 AND partial + failed);

-- A task has one retry at most, which can have one in turn: each operation has a latest outcome.
CREATE UNIQUE INDEX bulk_tasks_one_retry ON bulk_tasks (tenant_id, of_task) WHERE kind = 'retry';
