-- Files of a folder that are applied once

ALTER TABLE bulk_tasks
  -- Run: the name of the file in its folder. The newest run of a name says whether the file is applied.
  ADD COLUMN applied_as text COLLATE "C" CHECK (applied_as IS NULL OR applied_as <> '' AND kind = 'run'),
  -- SHA-256 of a changed file that counts as the one that was applied.
  ADD COLUMN accepted_sha256 text;
CREATE INDEX bulk_tasks_applied ON bulk_tasks (tenant_id, applied_as, id) WHERE applied_as IS NOT NULL;
