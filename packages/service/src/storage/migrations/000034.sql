-- Sessions of browsers: each row lets one session use one access token of a tenant. A session that has several tenants
-- has as many rows with one hash. A row ends with its token.
CREATE TABLE console_sessions (
  tenant_id text NOT NULL,
  -- The SHA-256 of what the cookie has.
  hash text NOT NULL,
  -- Names the row in the audit trail, and grows with time.
  id text NOT NULL,
  token_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT console_sessions_token FOREIGN KEY (tenant_id, token_id) REFERENCES access_tokens ON DELETE CASCADE
);
CREATE INDEX console_sessions_of_token ON console_sessions (tenant_id, token_id, id);
CREATE INDEX console_sessions_by_hash ON console_sessions (hash);
CREATE INDEX console_sessions_by_expiry ON console_sessions (expires_at);

-- Codes that open a session once, for the token that made them.
CREATE TABLE console_codes (
  tenant_id text NOT NULL,
  -- The SHA-256 of the code.
  hash text NOT NULL,
  -- Grows with time.
  id text NOT NULL,
  token_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT console_codes_token FOREIGN KEY (tenant_id, token_id) REFERENCES access_tokens ON DELETE CASCADE
);
CREATE INDEX console_codes_of_token ON console_codes (tenant_id, token_id, id);
CREATE INDEX console_codes_by_hash ON console_codes (hash);
CREATE INDEX console_codes_by_expiry ON console_codes (expires_at);
