-- Access tokens that expire and say when they were used; and who did what, kept also of tenants that are gone.

ALTER TABLE access_tokens
  ADD COLUMN expires_at timestamptz,
  -- To the minute: a token that is used all the time is not written all the time.
  ADD COLUMN last_used_at timestamptz;

CREATE TABLE audit_trail (
  -- No reference to tenants: that a tenant was deleted, and by whom, outlives it.
  tenant_id text NOT NULL,
  -- Grows with time.
  id text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  tenant_identifier text NOT NULL,
  actor text NOT NULL CHECK (actor IN ('operator', 'accessToken')),
  access_token_id text,
  access_token_name text,
  action text NOT NULL,
  subject_id text NOT NULL,
  details json,
  PRIMARY KEY (tenant_id, id),
  CHECK ((actor = 'accessToken') = (access_token_id IS NOT NULL)),
  CHECK ((access_token_id IS NULL) = (access_token_name IS NULL))
);
-- The operator reads the trail of all tenants, newest first.
CREATE INDEX audit_trail_by_time ON audit_trail (id);
