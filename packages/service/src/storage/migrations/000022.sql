-- Every transaction that writes rows of a tenant holds the tenant's row itself, once, instead of a check for each new row.
DO $$ DECLARE reference record; BEGIN
  FOR reference IN SELECT conrelid::regclass AS "from", conname AS name FROM pg_constraint
    WHERE contype = 'f' AND confrelid = 'tenants'::regclass
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', reference."from", reference.name);
  END LOOP;
END $$;
