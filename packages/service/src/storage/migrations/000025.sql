-- The webhook of a tenant: the secret that signs events, and the address for tasks that name none.
CREATE TABLE webhooks (
  tenant_id text PRIMARY KEY,
  -- Null: only tasks that name an address of their own have an event.
  url text,
  -- Encrypted; key_id names the key, which follows from the service's signing key.
  secret bytea NOT NULL,
  -- The secret before, which signs beside the new one for a while.
  previous_secret bytea,
  previous_until timestamptz,
  key_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  rotated_at timestamptz,
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);

-- The address that was given with a task.
ALTER TABLE bulk_tasks ADD COLUMN webhook_url text;

-- The ends of tasks that are to be told, and those that were: one for each task at most.
CREATE TABLE webhook_events (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  url text NOT NULL,
  host text NOT NULL GENERATED ALWAYS AS (substring(url FROM '^[a-z]+://([^/?#]+)')) STORED,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'dropped')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The time of the next try, or until when a runner has claimed the event.
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- How often it was claimed: only the last claim may write.
  claims int NOT NULL DEFAULT 0,
  -- [{at, durationMs, statusCode, error}]
  tries jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (tenant_id, task_id)
);
CREATE INDEX webhook_events_pending ON webhook_events (tenant_id, due_at) WHERE status = 'pending';
CREATE INDEX webhook_events_by_age ON webhook_events (created_at);

-- Every statement that ends a task writes its event, whoever wrote the statement. The row of the tenant is held, as by
-- everything that writes rows of a tenant; of one that is being deleted nothing is written.
CREATE FUNCTION add_webhook_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM FROM webhooks w JOIN tenants t ON t.id = w.tenant_id
    WHERE w.tenant_id = NEW.tenant_id AND t.identifier IS NOT NULL AND coalesce(NEW.webhook_url, w.url) IS NOT NULL
    FOR KEY SHARE OF t;
  IF FOUND THEN
    INSERT INTO webhook_events (tenant_id, task_id, url)
      SELECT NEW.tenant_id, NEW.id, coalesce(NEW.webhook_url, w.url) FROM webhooks w
      WHERE w.tenant_id = NEW.tenant_id AND coalesce(NEW.webhook_url, w.url) IS NOT NULL;
    PERFORM pg_notify('lading_tasks', '');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_task_ended AFTER UPDATE OF ended_at ON bulk_tasks FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.kind <> 'plan')
  EXECUTE FUNCTION add_webhook_event();
