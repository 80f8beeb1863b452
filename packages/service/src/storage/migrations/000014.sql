-- Entries of the log have the name of their error. Old ones had it as the code of a detail, unless that had a code of its own.
ALTER TABLE operation_logs ADD COLUMN error_name text,
  ADD CONSTRAINT operation_logs_error_name CHECK (status <> 'success' OR error_name IS NULL);
UPDATE operation_logs SET error_name = errors->0->>'code'
WHERE status <> 'success' AND (errors->0->>'code' LIKE '%Error' OR errors->0->>'code' = 'FailedDependency');

-- What operations did is counted on their task. Of a task that has ended it is not known; one that has not is counted.
ALTER TABLE bulk_tasks ADD COLUMN created int, ADD COLUMN updated int, ADD COLUMN unchanged int,
  ADD COLUMN deleted int, ADD COLUMN published int, ADD COLUMN unpublished int;
UPDATE bulk_tasks t SET created = n.created, updated = n.updated, unchanged = n.unchanged,
  deleted = n.deleted, published = n.published, unpublished = n.unpublished
FROM (
  SELECT b.tenant_id, b.id,
    count(*) FILTER (WHERE l.action = 'created') AS created,
    count(*) FILTER (WHERE l.action = 'updated') AS updated,
    count(*) FILTER (WHERE l.action = 'unchanged') AS unchanged,
    count(*) FILTER (WHERE l.action = 'deleted') AS deleted,
    count(*) FILTER (WHERE l.action = 'published') AS published,
    count(*) FILTER (WHERE l.action = 'unpublished') AS unpublished
  FROM bulk_tasks b LEFT JOIN operation_logs l ON l.tenant_id = b.tenant_id AND l.task_id = b.id
  WHERE b.ended_at IS NULL
  GROUP BY b.tenant_id, b.id
) n
WHERE t.tenant_id = n.tenant_id AND t.id = n.id;
ALTER TABLE bulk_tasks
  ALTER COLUMN created SET DEFAULT 0, ALTER COLUMN updated SET DEFAULT 0, ALTER COLUMN unchanged SET DEFAULT 0,
  ALTER COLUMN deleted SET DEFAULT 0, ALTER COLUMN published SET DEFAULT 0, ALTER COLUMN unpublished SET DEFAULT 0,
  ADD CONSTRAINT bulk_tasks_actions
    CHECK (created + updated + unchanged + deleted + published + unpublished = succeeded + partial);
