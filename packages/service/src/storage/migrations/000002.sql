-- Subscription contracts and price lists.

CREATE TABLE subscription_contracts (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  id text NOT NULL,
  resource_identifier text,
  customer_identifier text NOT NULL,
  plan_identifier text NOT NULL,
  subscription_plan json NOT NULL,
  -- What was agreed on. It outlives the variant, as the line of an order does.
  sku text NOT NULL,
  item json NOT NULL,
  initial json,
  recurring json NOT NULL,
  activate_at timestamptz,
  active_until timestamptz,
  renew_at timestamptz,
  signed_at timestamptz,
  payment json,
  addresses json NOT NULL,
  meta jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT subscription_contracts_resource_identifier
    UNIQUE (tenant_id, resource_identifier) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT subscription_contracts_customer
    FOREIGN KEY (tenant_id, customer_identifier) REFERENCES customers DEFERRABLE INITIALLY DEFERRED,
  CHECK (activate_at IS NULL OR (active_until IS NULL AND renew_at IS NULL)),
  CHECK (renew_at IS NULL OR active_until IS NOT NULL)
);
CREATE INDEX subscription_contracts_of_customer ON subscription_contracts (tenant_id, customer_identifier, id);

CREATE TABLE price_lists (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  identifier text NOT NULL,
  name text NOT NULL,
  modifier_type text NOT NULL CHECK (modifier_type IN ('ABSOLUTE', 'PERCENTAGE', 'RELATIVE')),
  price_variants json NOT NULL,
  selection_type text NOT NULL CHECK (selection_type IN ('ALL_SKUS', 'SOME_SKUS')),
  target_audience json NOT NULL,
  start_date timestamptz,
  end_date timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier),
  CHECK (end_date >= start_date)
);

-- A variant that a price list selects, with prices of its own if it has any there. Who deletes a variant takes it out
-- of the price lists first.
CREATE TABLE price_list_variants (
  tenant_id text NOT NULL,
  price_list_identifier text NOT NULL,
  sku text NOT NULL,
  variant_id text NOT NULL,
  price_variants json NOT NULL,
  PRIMARY KEY (tenant_id, price_list_identifier, sku),
  CONSTRAINT price_list_variants_price_list
    FOREIGN KEY (tenant_id, price_list_identifier) REFERENCES price_lists DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT price_list_variants_variant
    FOREIGN KEY (tenant_id, variant_id) REFERENCES product_variants DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX price_list_variants_of_variant ON price_list_variants (tenant_id, variant_id);
