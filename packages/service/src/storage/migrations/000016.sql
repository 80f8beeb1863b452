-- Whether every warning about the task's file is an error.
ALTER TABLE bulk_tasks ADD COLUMN strict boolean NOT NULL DEFAULT false;
