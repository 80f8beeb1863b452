-- A held task keeps its turn, and no runner takes it until it is resumed.
ALTER TABLE bulk_tasks
  ADD COLUMN held_at timestamptz,
  ADD COLUMN held_because text CHECK (held_because IN ('request', 'operations', 'failures')),
  -- It is held once so many operations were executed; null: not, or it was.
  ADD COLUMN hold_after int CHECK (hold_after > 0),
  -- It is held whenever so many operations have failed since it was last resumed.
  ADD COLUMN hold_on_failures int CHECK (hold_on_failures > 0),
  ADD COLUMN failed_before_resume int NOT NULL DEFAULT 0,
  ADD CONSTRAINT bulk_tasks_held CHECK ((held_at IS NULL) = (held_because IS NULL));
