-- Undos: a task is undone by one other at a time.
CREATE UNIQUE INDEX bulk_tasks_one_undo ON bulk_tasks (tenant_id, of_task) WHERE kind = 'undo' AND ended_at IS NULL;

ALTER TABLE bulk_tasks
  -- The newest migration when its execution began: its before-images have the columns of that schema.
  ADD COLUMN schema_name text,
  -- The undo that was created last: what the task has left is not pruned before that has ended.
  ADD COLUMN last_undo text,
  -- True once the removal of its before-images has begun: a task that has lost some cannot be undone.
  ADD COLUMN pruning_before boolean NOT NULL DEFAULT false;
