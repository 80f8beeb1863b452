-- What is done to a contract beside its dates: it is paused or ended at once; and whether it was ever renewed, which
-- ends its initial phase.
ALTER TABLE subscription_contracts
  ADD COLUMN halted text CHECK (halted IN ('paused', 'cancelled')),
  ADD COLUMN renewed boolean NOT NULL DEFAULT false,
  ADD CHECK (halted <> 'cancelled' OR (activate_at IS NULL AND active_until IS NULL AND renew_at IS NULL));
