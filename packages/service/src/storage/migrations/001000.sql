-- What follows from a task's end, and from an undo's first operations, is written by the statements that cause it.
DROP TRIGGER bulk_task_ended ON bulk_tasks;
DROP TRIGGER bulk_task_undone ON bulk_tasks;
DROP TRIGGER bulk_task_top_failure ON bulk_tasks;
DROP TRIGGER bulk_task_hours ON bulk_tasks;
DROP TRIGGER bulk_task_repaired ON bulk_tasks;
DROP FUNCTION add_webhook_event, set_undone, set_top_failure, add_operation_hour, recount_repaired, top_failure_of,
  unrepaired_of;

-- A task that ends before it was started needs no place in the queue.
ALTER TABLE bulk_tasks DROP CONSTRAINT bulk_tasks_check, ADD CONSTRAINT bulk_tasks_start_order
  CHECK (status = 'error' OR (status = 'pending') = (start_order IS NULL));

-- Checks what was written so far. A function of the tenant, since a cluster can run it where the tenant's rows are.
CREATE FUNCTION check_keys(tenant text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  SET CONSTRAINTS ALL IMMEDIATE;
  SET CONSTRAINTS ALL DEFERRED;
END $$;
