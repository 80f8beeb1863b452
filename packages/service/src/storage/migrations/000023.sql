-- The rows that operations wrote, as they were before: beside the log's blocks, to be dropped alone.
CREATE TABLE operation_before_images (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  -- The operations whose images a row has; the images of one operation may take several rows, by `part`.
  first_index int NOT NULL,
  part int NOT NULL,
  last_index int NOT NULL,
  -- The size of the images before they were compressed.
  raw_bytes int NOT NULL,
  -- A JSON text sequence (RFC 7464), compressed by zstd.
  images bytea NOT NULL,
  PRIMARY KEY (tenant_id, task_id, first_index, part),
  CHECK (first_index >= 0 AND first_index <= last_index AND part >= 0)
);
ALTER TABLE operation_before_images ALTER COLUMN images SET STORAGE EXTERNAL;

-- True while a task's before-images are kept: decided when its execution begins.
ALTER TABLE bulk_tasks ADD COLUMN keeps_before boolean NOT NULL DEFAULT false;
CREATE INDEX bulk_tasks_with_before ON bulk_tasks (tenant_id, ended_at) WHERE keeps_before;
UPDATE tenants SET settings = (settings::jsonb || '{"keepBeforeDays": 30}')::json;
