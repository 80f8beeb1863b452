-- Persons who sign in to the console by OpenID Connect

-- The role that the members of a group at the identity provider have in a tenant.
CREATE TABLE group_roles (
  tenant_id text NOT NULL,
  group_name text NOT NULL,
  role text NOT NULL CONSTRAINT group_roles_role CHECK (role IN ('reader', 'planner', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, group_name)
);
CREATE INDEX group_roles_by_name ON group_roles (group_name, tenant_id);

-- Browser sessions of persons, for all tenants of their groups.
CREATE TABLE person_sessions (
  -- Identifies the row in the audit trail, and what is sealed in it. Increases with time.
  id text PRIMARY KEY,
  -- SHA-256 of the cookie's value.
  hash text NOT NULL CONSTRAINT person_sessions_hash UNIQUE,
  -- Derived from issuer and subject; never the id of an access token.
  person_id text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  name text NOT NULL,
  -- Those of the person's groups that had a role in any tenant when the provider was last asked.
  groups text[] NOT NULL,
  -- The provider's refresh token and ID token, encrypted.
  key_id text NOT NULL,
  sealed bytea NOT NULL,
  is_renewable boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the provider last confirmed the person.
  verified_at timestamptz NOT NULL DEFAULT now(),
  -- Until then no other process asks the provider.
  renewing_until timestamptz,
  -- Set while the provider cannot be reached.
  failed_at timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX person_sessions_of_person ON person_sessions (person_id, id);
CREATE INDEX person_sessions_by_expiry ON person_sessions (expires_at);

-- Sign-ins that came back from the provider: each is valid once.
CREATE TABLE used_sign_ins (
  -- SHA-256 of the state.
  hash text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_sign_ins_by_expiry ON used_sign_ins (expires_at);

ALTER TABLE audit_trail DROP CONSTRAINT audit_trail_actor_check,
  ADD COLUMN person_issuer text,
  ADD COLUMN person_subject text,
  ADD COLUMN person_name text,
  ADD CONSTRAINT audit_trail_actor CHECK (actor IN ('operator', 'accessToken', 'person', 'task')),
  ADD CONSTRAINT audit_trail_person CHECK (
    (actor = 'person') = (person_issuer IS NOT NULL AND person_subject IS NOT NULL AND person_name IS NOT NULL));
