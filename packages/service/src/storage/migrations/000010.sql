-- Images that tasks fetch: noted before they are stored, so that what no operation came to register is found and deleted,
-- whichever process fetched it. What a task noted is forgotten when it has ended.
CREATE TABLE fetched_images (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  key text NOT NULL,
  task_id text NOT NULL,
  PRIMARY KEY (tenant_id, key)
);
CREATE INDEX fetched_images_of_task ON fetched_images (tenant_id, task_id);
