-- The path of what is published is made of published segments. A published version has a segment of its own only while
-- it differs from its draft's, and its parent with it, so that one constraint holds the segments of both kinds. Whatever
-- is published today has the segment of its draft. A draft knows if it is published: renaming it looks for the published
-- version only then, and meets a conflict with a first publishing at that moment.
ALTER TABLE item_contents DROP CONSTRAINT item_contents_check;
ALTER TABLE item_contents
  ADD COLUMN is_published boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT item_contents_place CHECK ((parent_id IS NULL) = (segment IS NULL)),
  ADD CONSTRAINT item_contents_is_published CHECK (version = 'draft' OR NOT is_published);
UPDATE item_contents d SET is_published = true
FROM item_contents p
WHERE d.version = 'draft' AND p.version = 'published'
  AND p.tenant_id = d.tenant_id AND p.item_id = d.item_id AND p.language = d.language;

-- The former paths of an item in a language, one to a row and in the order of their positions, the newest last. Paths of
-- deep folders are longer than an index takes, so they are found by their SHA-256.
CREATE TABLE item_former_paths (
  tenant_id text NOT NULL,
  item_id text NOT NULL,
  language text NOT NULL,
  path text NOT NULL,
  path_hash text NOT NULL CHECK (path_hash = encode(sha256(convert_to(path, 'UTF8')), 'hex')),
  position int NOT NULL,
  PRIMARY KEY (tenant_id, item_id, language, path_hash),
  CONSTRAINT item_former_paths_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX item_former_paths_by_path ON item_former_paths (tenant_id, language, path_hash);
INSERT INTO item_former_paths (tenant_id, item_id, language, path, path_hash, position)
SELECT h.tenant_id, h.item_id, h.language, p.path, encode(sha256(convert_to(p.path, 'UTF8')), 'hex'), p.position
FROM item_histories h CROSS JOIN LATERAL json_array_elements_text(h.paths) WITH ORDINALITY AS p(path, position)
ON CONFLICT DO NOTHING;
DROP TABLE item_histories;
