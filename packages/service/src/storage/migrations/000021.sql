-- The log of a task in blocks: one row has the entries of the operations from first_index to before end_index.
CREATE TABLE operation_log_blocks (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  first_index int NOT NULL,
  end_index int NOT NULL,
  -- How many entries have which intent, action and status: one element for each combination.
  intents text[] NOT NULL,
  actions text[] NOT NULL,
  statuses text[] NOT NULL,
  counts int[] NOT NULL,
  -- The size of the entries before they were compressed.
  raw_bytes int NOT NULL,
  -- A JSON text sequence (RFC 7464), compressed by zstd.
  entries bytea NOT NULL,
  PRIMARY KEY (tenant_id, task_id, first_index),
  CHECK (first_index >= 0 AND first_index < end_index),
  CHECK (cardinality(intents) = cardinality(counts) AND cardinality(actions) = cardinality(counts)
    AND cardinality(statuses) = cardinality(counts))
);
-- It is compressed already. What a block had before its operations will be a row of its own with the same key.
ALTER TABLE operation_log_blocks ALTER COLUMN entries SET STORAGE EXTERNAL;

-- The entries that are not a success, to find and to group them by.
CREATE TABLE operation_log_failures (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  index int NOT NULL,
  status text NOT NULL CHECK (status IN ('partial', 'failure')),
  status_code int NOT NULL,
  error_name text,
  intent text NOT NULL,
  -- The message without the values that differ from one operation to the next.
  cause text,
  PRIMARY KEY (tenant_id, task_id, status, index)
);

-- Entries of earlier versions stay where they are, and are moved while the service runs.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM operation_logs) THEN DROP TABLE operation_logs; END IF;
END $$;
