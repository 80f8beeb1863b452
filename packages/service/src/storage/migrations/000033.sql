-- The names of items and the addresses of customers, to search them without reading the rows.
CREATE INDEX item_contents_names ON item_contents (tenant_id, name COLLATE "C") WHERE version = 'draft';
CREATE INDEX customers_emails ON customers (tenant_id, email) WHERE email IS NOT NULL;
