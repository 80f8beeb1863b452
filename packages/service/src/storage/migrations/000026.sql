-- What operations name of a tenant's settings, one row each: the unit of work writes it like other rows. The order of a
-- list is that of `position`; the first is the default.
CREATE TABLE settings (
  tenant_id text NOT NULL,
  list text NOT NULL CHECK (list IN (
    'languages', 'vatTypes', 'priceVariants', 'stockLocations', 'markets', 'subscriptionPlans', 'pipelines'
  )),
  -- The value by which operations name it.
  identifier text NOT NULL,
  position int NOT NULL,
  value json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, list, identifier)
);
INSERT INTO settings (tenant_id, list, identifier, position, value, created_at, updated_at)
SELECT t.id, l.list, e.value->>l.key, e.place - 1, e.value, t.created_at, t.created_at
FROM tenants t
CROSS JOIN (VALUES
  ('languages', 'code'), ('vatTypes', 'id'), ('priceVariants', 'identifier'), ('stockLocations', 'identifier'),
  ('markets', 'identifier'), ('subscriptionPlans', 'identifier'), ('pipelines', 'id')
) AS l (list, key)
CROSS JOIN json_array_elements(t.settings->l.list) WITH ORDINALITY AS e (value, place)
WHERE t.identifier IS NOT NULL;

-- What is left in the row of the tenant are the limits that the operator sets.
ALTER TABLE tenants DROP CONSTRAINT tenants_settings;
ALTER TABLE tenants RENAME COLUMN settings TO limits;
UPDATE tenants SET limits = (limits::jsonb - ARRAY[
  'languages', 'vatTypes', 'priceVariants', 'stockLocations', 'markets', 'subscriptionPlans', 'pipelines'
])::json;
ALTER TABLE tenants ADD CONSTRAINT tenants_limits CHECK ((
  (limits->>'uploadMaxBytes')::bigint > 0
  AND (limits->>'uploadLifetimeSeconds')::int > 0
  AND (limits->>'maxWaitingTasks')::int > 0
  AND (limits->>'keepBeforeDays')::int >= 0
) IS TRUE);

-- A bulk task may do what is audited, too.
ALTER TABLE audit_trail DROP CONSTRAINT audit_trail_actor_check;
ALTER TABLE audit_trail ADD CHECK (actor IN ('operator', 'accessToken', 'task'));
ALTER TABLE audit_trail ADD COLUMN task_id text;
ALTER TABLE audit_trail ADD CHECK ((actor = 'task') = (task_id IS NOT NULL));
