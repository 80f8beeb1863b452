-- Uploads that no task names are removed

-- Uploads of mass operation files that were requested and that no task has named.
CREATE TABLE uploads (
  tenant_id text NOT NULL,
  key text NOT NULL,
  -- Until then the file can be uploaded.
  form_expires_at timestamptz NOT NULL,
  -- True from the moment at which the sweep may delete the file: no task can be created of it any more.
  removing boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, key)
);
CREATE INDEX uploads_by_expiry ON uploads (form_expires_at);

-- The most frequent cause of a task's failures; one that is only the failure of another operation comes last.
CREATE OR REPLACE FUNCTION top_failure_of(tenant text, task text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('cause', cause, 'count', count(*)) FROM operation_log_failures
  WHERE tenant_id = tenant AND task_id = task
  GROUP BY cause ORDER BY bool_and(error_name = 'FailedDependency'), count(*) DESC, min(index) LIMIT 1
$$;

UPDATE bulk_tasks SET top_failure = top_failure_of(tenant_id, id)
  WHERE pruned_at IS NULL AND NOT pruning AND top_failure->>'cause' LIKE '%is the result of operation%';
