-- A run may follow a plan: then that is its `of_task`.
ALTER TABLE bulk_tasks
  DROP CONSTRAINT bulk_tasks_of_task,
  ADD CONSTRAINT bulk_tasks_of_task CHECK (kind IN ('run', 'plan') OR of_task IS NOT NULL),
  -- Of a plan: the run that was created last to follow it. The plan is not pruned before that has ended.
  ADD COLUMN last_run text;
CREATE UNIQUE INDEX bulk_tasks_one_run_of_plan ON bulk_tasks (tenant_id, of_task)
  WHERE kind = 'run' AND of_task IS NOT NULL AND ended_at IS NULL;
