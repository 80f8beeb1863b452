-- Tasks that start at a date

ALTER TABLE bulk_tasks
  -- When a pending task starts, by the database's clock. Null: on request.
  ADD COLUMN start_at timestamptz,
  -- The date of the request that created the task: detects a different request with the same idempotency key.
  ADD COLUMN requested_start_at timestamptz,
  -- The file of a task with a date is validated while the task is pending.
  DROP CONSTRAINT bulk_tasks_check5,
  ADD CONSTRAINT bulk_tasks_owner CHECK (owner IS NULL OR ended_at IS NULL);
CREATE INDEX bulk_tasks_dated ON bulk_tasks (start_at)
  WHERE status = 'pending' AND start_at IS NOT NULL AND held_at IS NULL;
CREATE INDEX bulk_tasks_dated_of_tenant ON bulk_tasks (tenant_id, start_at)
  WHERE status = 'pending' AND start_at IS NOT NULL;
DROP INDEX bulk_tasks_to_validate;
CREATE INDEX bulk_tasks_to_validate ON bulk_tasks (tenant_id, start_order)
  WHERE validated_at IS NULL AND (status = 'started' OR status = 'pending' AND start_at IS NOT NULL);

-- Runs that are undone when they fail

ALTER TABLE bulk_tasks
  -- Run: what begins when it fails. Null: nothing.
  ADD COLUMN on_failure text CHECK (on_failure IS NULL OR on_failure = 'UNDO' AND kind = 'run'),
  -- The undo that began in the transaction in which the run failed.
  ADD COLUMN failure_undo text;

-- The event of a run whose undo begins as it ends is written when the undo ends, and the undo has none of its own.
CREATE OR REPLACE FUNCTION add_webhook_event() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE
  ended text := coalesce((SELECT r.id FROM bulk_tasks r
    WHERE NEW.kind = 'undo' AND r.tenant_id = NEW.tenant_id AND r.id = NEW.of_task AND r.failure_undo = NEW.id), NEW.id);
BEGIN
  IF NEW.failure_undo IS NOT NULL THEN RETURN NULL; END IF;
  PERFORM FROM webhooks w JOIN tenants t ON t.id = w.tenant_id
    WHERE w.tenant_id = NEW.tenant_id AND t.identifier IS NOT NULL AND coalesce(NEW.webhook_url, w.url) IS NOT NULL
    FOR KEY SHARE OF t;
  IF FOUND THEN
    INSERT INTO webhook_events (tenant_id, task_id, url)
      SELECT NEW.tenant_id, ended, coalesce(NEW.webhook_url, w.url) FROM webhooks w
      WHERE w.tenant_id = NEW.tenant_id AND coalesce(NEW.webhook_url, w.url) IS NOT NULL;
    PERFORM pg_notify('lading_tasks', '');
  END IF;
  RETURN NULL;
END $$;
