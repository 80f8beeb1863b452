-- A tenant that is being deleted has no identifier any more: whoever looks for it finds nothing, its name is free, and
-- who has begun to write for it meets a conflict (identifier is a key). The row goes last, after all that the tenant had.
ALTER TABLE tenants ALTER COLUMN identifier DROP NOT NULL;
