-- What is done to a contract beside its dates: it is paused or ended at once; and whether it was ever renewed, which
-- ends its initial phase.
ALTER TABLE subscription_contracts
  ADD COLUMN halted text CHECK (halted IN ('paused', 'cancelled')),
  ADD COLUMN renewed boolean NOT NULL DEFAULT false,
  ADD CHECK (halted <> 'cancelled' OR (activate_at IS NULL AND active_until IS NULL AND renew_at IS NULL));

-- What was used of what a contract's plan measures.
CREATE TABLE subscription_contract_usages (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id text NOT NULL,
  contract_id text NOT NULL,
  metered_variable_identifier text NOT NULL,
  quantity float8 NOT NULL,
  description text,
  -- What was noted under a key is not noted again.
  idempotency_key text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT subscription_contract_usages_idempotency_key
    UNIQUE (tenant_id, idempotency_key) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT subscription_contract_usages_contract
    FOREIGN KEY (tenant_id, contract_id) REFERENCES subscription_contracts DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX subscription_contract_usages_of_contract
  ON subscription_contract_usages (tenant_id, contract_id, created_at);
