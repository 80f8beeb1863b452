ALTER TABLE bulk_tasks
  -- Of a plan: the ids that it makes are not below this one. What it made up is shown as new.
  ADD COLUMN first_new_id text,
  -- Of a plan: sums of what its operations would take away.
  ADD COLUMN destructive json;
CREATE INDEX bulk_tasks_plans_to_prune ON bulk_tasks (ended_at)
  WHERE kind = 'plan' AND ended_at IS NOT NULL AND pruned_at IS NULL;
