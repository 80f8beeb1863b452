-- Access tokens that plan files and run none

ALTER TABLE access_tokens DROP CONSTRAINT access_tokens_role_check,
  ADD CONSTRAINT access_tokens_role CHECK (role IN ('reader', 'planner', 'admin'));

-- The id of the token with the role planner that created a plan: nobody has agreed to it before a run follows it.
ALTER TABLE bulk_tasks ADD COLUMN planner_id text;
CREATE INDEX bulk_tasks_open_of_planner ON bulk_tasks (tenant_id, planner_id)
  WHERE planner_id IS NOT NULL AND ended_at IS NULL;
CREATE INDEX bulk_tasks_of_planner ON bulk_tasks (tenant_id, planner_id, created_at) WHERE planner_id IS NOT NULL;
