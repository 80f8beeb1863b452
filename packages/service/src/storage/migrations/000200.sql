-- Overview of a tenant's tasks

ALTER TABLE bulk_tasks
  -- The name of the access token that created the task, or `operator`.
  ADD COLUMN created_by text NOT NULL DEFAULT 'operator',
  -- {cause, count}: the most frequent cause of its failures when it ended. Null: it had none.
  ADD COLUMN top_failure json,
  -- The executed and failed operations that operation_hours counts already.
  ADD COLUMN hours_executed int NOT NULL DEFAULT 0,
  ADD COLUMN hours_failed int NOT NULL DEFAULT 0,
  -- The list of the overview that the task belongs to: the definition of each view. No batch of a running task changes
  -- it, so that its row is updated in place (HOT).
  ADD COLUMN view text GENERATED ALWAYS AS (CASE
    WHEN ended_at IS NULL THEN CASE WHEN held_at IS NOT NULL THEN 'held' WHEN status <> 'pending' THEN 'running' END
    WHEN pruning OR pruned_at IS NOT NULL THEN NULL
    WHEN kind = 'plan' THEN CASE WHEN status = 'complete' AND last_run IS NULL THEN 'planned' END
    WHEN kind IN ('run', 'undo') AND undone <> 'whole' AND failed + partial > repaired THEN 'openFailures'
  END) STORED;
CREATE INDEX bulk_tasks_views ON bulk_tasks (tenant_id, view, id) WHERE view IS NOT NULL;

UPDATE bulk_tasks t SET created_by = coalesce(e.access_token_name, e.actor) FROM audit_trail e
  WHERE e.tenant_id = t.tenant_id AND e.subject_id = t.id
    AND e.action IN ('bulkTask.created', 'bulkTask.retried', 'bulkTask.undone');

-- A plan of an undo is followed by any later undo of its task: `last_run` names the last one of either kind.
UPDATE bulk_tasks p SET last_run = t.last_undo FROM bulk_tasks t
  WHERE p.kind = 'plan' AND t.tenant_id = p.tenant_id AND t.id = p.of_task AND t.last_undo > p.id;

CREATE FUNCTION top_failure_of(tenant text, task text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('cause', cause, 'count', count(*)) FROM operation_log_failures
  WHERE tenant_id = tenant AND task_id = task GROUP BY cause ORDER BY count(*) DESC, min(index) LIMIT 1
$$;

UPDATE bulk_tasks SET top_failure = top_failure_of(tenant_id, id)
  WHERE ended_at IS NOT NULL AND pruned_at IS NULL AND failed + partial > 0;

-- A trigger, so that every statement that ends a task stores it.
CREATE FUNCTION set_top_failure() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.top_failure := top_failure_of(NEW.tenant_id, NEW.id);
  RETURN NEW;
END $$;
CREATE TRIGGER bulk_task_top_failure BEFORE UPDATE OF ended_at ON bulk_tasks FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.failed + NEW.partial > 0)
  EXECUTE FUNCTION set_top_failure();

-- Operations that tasks executed in each hour, without plans; those of an unfinished task's last hour are added later.
CREATE TABLE operation_hours (
  tenant_id text NOT NULL,
  hour timestamptz NOT NULL,
  executed bigint NOT NULL,
  -- Failed and partial ones.
  failed bigint NOT NULL,
  PRIMARY KEY (tenant_id, hour)
);

INSERT INTO operation_hours
  SELECT tenant_id, date_trunc('hour', progressed_at, 'UTC'), sum(succeeded + partial + failed), sum(partial + failed)
  FROM bulk_tasks WHERE kind <> 'plan' AND ended_at IS NOT NULL AND progressed_at > now() - interval '8 days'
  GROUP BY 1, 2;

-- Adds what a task has executed, and was not added yet, to the hour in which it last progressed. Keeps 8 days. As every
-- writer of a tenant's rows, locks the tenant's row, and writes nothing if the tenant is being deleted.
CREATE FUNCTION add_operation_hour() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO operation_hours AS h
    SELECT t.id, date_trunc('hour', OLD.progressed_at, 'UTC'),
      OLD.succeeded + OLD.partial + OLD.failed - OLD.hours_executed, OLD.partial + OLD.failed - OLD.hours_failed
    FROM tenants t WHERE t.id = OLD.tenant_id AND t.identifier IS NOT NULL FOR KEY SHARE
    ON CONFLICT (tenant_id, hour) DO UPDATE SET
      executed = h.executed + excluded.executed, failed = h.failed + excluded.failed;
  DELETE FROM operation_hours WHERE tenant_id = OLD.tenant_id AND hour < now() - interval '8 days';
  NEW.hours_executed := OLD.succeeded + OLD.partial + OLD.failed;
  NEW.hours_failed := OLD.partial + OLD.failed;
  RETURN NEW;
END $$;
CREATE TRIGGER bulk_task_hours BEFORE UPDATE OF progressed_at, ended_at ON bulk_tasks FOR EACH ROW
  WHEN (OLD.kind <> 'plan' AND OLD.ended_at IS NULL AND OLD.progressed_at IS NOT NULL AND (NEW.ended_at IS NOT NULL
    OR date_trunc('hour', OLD.progressed_at, 'UTC') < date_trunc('hour', NEW.progressed_at, 'UTC')))
  EXECUTE FUNCTION add_operation_hour();

-- The failed and partial operations of a task that no retry has executed successfully since. An operation's outcome is
-- that of the last task that executed it: a retry executes those with the outcomes it includes, before its cursor.
-- Retries that were undone, even partly, do not count. Two tasks may have an outcome of one operation, if a retry
-- between them was undone; and a retry may execute others, which the task did not attempt.
CREATE FUNCTION unrepaired_of(tenant text, task text) RETURNS int LANGUAGE sql STABLE AS $$
  WITH RECURSIVE chain (id, position) AS (
    SELECT task, 0
    UNION ALL
    SELECT t.id, c.position + 1 FROM chain c
      JOIN bulk_tasks t ON t.tenant_id = tenant AND t.of_task = c.id AND t.kind = 'retry'
  ), counted AS (
    SELECT c.position, t.id, t.include, t.cursor_index
    FROM chain c JOIN bulk_tasks t ON t.tenant_id = tenant AND t.id = c.id WHERE c.position = 0 OR t.undone = 'none'
  ), sources AS (
    SELECT c.id, o.status, coalesce((SELECT max(r.cursor_index) FROM counted r
      WHERE r.position > c.position AND o.outcome = ANY (r.include)), 0) AS first_index
    FROM counted c CROSS JOIN (VALUES ('failure', 'FAILED'), ('partial', 'PARTIAL')) o (status, outcome)
  )
  SELECT count(DISTINCT f.index)::int FROM sources s CROSS JOIN LATERAL (
    SELECT l.index FROM operation_log_failures l
    WHERE l.tenant_id = tenant AND l.task_id = s.id AND l.status = s.status AND l.index >= s.first_index
      AND (s.id = task OR EXISTS (SELECT FROM operation_log_failures o WHERE o.tenant_id = tenant AND o.task_id = task
        AND o.status IN ('failure', 'partial') AND o.index = l.index OFFSET 0))) f
$$;

-- An undo that finds nothing to undo undoes a task as a whole, too: a retry can only be undone after the retries that
-- have continued it, and all of their operations may have failed.
CREATE OR REPLACE FUNCTION set_undone() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE
  task bulk_tasks := NEW;
BEGIN
  WHILE task.kind = 'undo' LOOP
    PERFORM FROM bulk_tasks WHERE tenant_id = task.tenant_id AND id = task.of_task FOR NO KEY UPDATE;
    UPDATE bulk_tasks t SET (undone, undone_by) = (
        SELECT CASE WHEN bool_or(u.is_whole) THEN 'whole' WHEN bool_or(u.has_undone) THEN 'part' ELSE 'none' END,
          (array_agg(u.id ORDER BY u.ended_at IS NULL DESC, u.has_undone DESC, u.is_whole DESC, u.id DESC)
            FILTER (WHERE u.ended_at IS NULL OR u.has_undone OR u.is_whole))[1]
        FROM (SELECT w.id, w.ended_at, w.succeeded + w.partial > 0 AS has_undone,
            w.status = 'complete' AND w.failed = 0 AND w.undone = 'none' AND NOT EXISTS (
              SELECT FROM bulk_tasks e JOIN bulk_tasks r ON r.tenant_id = e.tenant_id AND r.of_task = e.id
              WHERE e.tenant_id = t.tenant_id AND e.of_task = t.id AND e.kind = 'undo' AND e.id < w.id
                AND r.kind = 'undo' AND r.id > w.id AND r.succeeded + r.partial > 0 AND r.undone <> 'whole') AS is_whole
          FROM bulk_tasks w WHERE w.tenant_id = t.tenant_id AND w.of_task = t.id AND w.kind = 'undo'
            AND w.undone <> 'whole') u)
      WHERE t.tenant_id = task.tenant_id AND t.id = task.of_task
      RETURNING * INTO task;
  END LOOP;
  RETURN NULL;
END $$;

-- Recounts what the retries of a task have repaired when one of them is undone or redone.
CREATE FUNCTION recount_repaired() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE
  task bulk_tasks := NEW;
BEGIN
  WHILE task.kind = 'retry' LOOP
    UPDATE bulk_tasks t SET repaired = CASE WHEN t.pruning THEN t.repaired
        ELSE t.partial + t.failed - unrepaired_of(t.tenant_id, t.id) END
      WHERE t.tenant_id = task.tenant_id AND t.id = task.of_task
      RETURNING * INTO task;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_task_repaired AFTER UPDATE OF undone ON bulk_tasks FOR EACH ROW
  WHEN (NEW.kind = 'retry' AND (OLD.undone = 'none') <> (NEW.undone = 'none'))
  EXECUTE FUNCTION recount_repaired();

UPDATE bulk_tasks t SET repaired = t.partial + t.failed - unrepaired_of(t.tenant_id, t.id)
  WHERE t.repaired > 0 AND NOT t.pruning;

-- Messages of failures

-- The first 64 bits of the SHA-256 of the message; null: logged before. A group of failures has one message if its
-- least digest is its greatest.
ALTER TABLE operation_log_failures ADD COLUMN message_digest bigint;
