-- Images that are registered: files of the tenant's media store that were seen to be images. A key is written once,
-- so what is said of one stays true. A drawing (SVG) may have no size of its own.
CREATE TABLE images (
  tenant_id text NOT NULL REFERENCES tenants ON DELETE CASCADE,
  key text NOT NULL,
  resource_identifier text,
  mime_type text NOT NULL CHECK (mime_type LIKE 'image/%'),
  width int CHECK (width > 0),
  height int CHECK (height > 0),
  size bigint NOT NULL CHECK (size > 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key),
  CONSTRAINT images_resource_identifier UNIQUE (tenant_id, resource_identifier) DEFERRABLE INITIALLY DEFERRED,
  CHECK (mime_type = 'image/svg+xml' OR (width IS NOT NULL AND height IS NOT NULL))
);
