-- Entries of the log have the name of their error. Old ones had it as the code of a detail, unless that had a code of its own.
ALTER TABLE operation_logs ADD COLUMN error_name text,
  ADD CONSTRAINT operation_logs_error_name CHECK (status <> 'success' OR error_name IS NULL);
UPDATE operation_logs SET error_name = errors->0->>'code'
WHERE status <> 'success' AND (errors->0->>'code' LIKE '%Error' OR errors->0->>'code' = 'FailedDependency');
