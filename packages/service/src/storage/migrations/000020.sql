-- Whether the request that created a task asked for its start, to tell the same request from another under one
-- idempotency key. Null of tasks that were created before.
ALTER TABLE bulk_tasks ADD COLUMN auto_start boolean;
