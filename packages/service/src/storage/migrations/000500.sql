-- Pictures that operation files name by paths

-- Uploads that were requested for pictures, with the SHA-256 that the client stated.
CREATE TABLE pictures (
  tenant_id text NOT NULL,
  key text NOT NULL,
  sha256 text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- False until a task names it, or until the sweep has seen it: from then on it lives as long as something uses it.
  taken boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, key)
);
CREATE INDEX pictures_sha256 ON pictures (tenant_id, sha256);
CREATE INDEX pictures_not_taken ON pictures (requested_at) WHERE NOT taken;

-- What the paths in a task's file stand for. Retries, and runs that follow a plan, have a copy.
CREATE TABLE task_pictures (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  path text COLLATE "C" NOT NULL,
  key text NOT NULL,
  etag text NOT NULL,
  -- The SHA-256 that the client had stated when the task was created; null without one.
  sha256 text,
  PRIMARY KEY (tenant_id, task_id, path)
);
CREATE INDEX task_pictures_key ON task_pictures (tenant_id, key);

ALTER TABLE bulk_tasks
  -- SHA-256 of the paths and keys; null without any.
  ADD COLUMN pictures_sha256 text;
