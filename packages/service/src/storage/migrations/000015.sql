-- The first names that operations of the file have, as [{"name", "index"}]: kept where a template reads a name that no
-- operation before it has, so that its failure can say which ones there are.
ALTER TABLE bulk_tasks ADD COLUMN reference_names json;
