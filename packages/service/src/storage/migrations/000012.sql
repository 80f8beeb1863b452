-- The path of what is published is made of published segments. A published version has a segment of its own only while
-- it differs from its draft's, and its parent with it, so that one constraint holds the segments of both kinds. Whatever
-- is published today has the segment of its draft.
ALTER TABLE item_contents DROP CONSTRAINT item_contents_check;
ALTER TABLE item_contents ADD CONSTRAINT item_contents_place CHECK ((parent_id IS NULL) = (segment IS NULL));

-- The last part of a path, by which those are found that an item could come to.
ALTER TABLE item_aliases ADD COLUMN segment text;
UPDATE item_aliases SET segment = regexp_replace(path, '^.*/', '');
ALTER TABLE item_aliases
  ALTER COLUMN segment SET NOT NULL,
  ADD CONSTRAINT item_aliases_segment CHECK (right(path, length(segment) + 1) = '/' || segment);
CREATE INDEX item_aliases_by_segment ON item_aliases (tenant_id, language, segment);

-- The former paths of an item in a language, one to a row and in the order of their positions, the newest last.
CREATE TABLE item_former_paths (
  tenant_id text NOT NULL,
  item_id text NOT NULL,
  language text NOT NULL,
  path text NOT NULL,
  segment text NOT NULL,
  position int NOT NULL,
  PRIMARY KEY (tenant_id, item_id, language, path),
  CONSTRAINT item_former_paths_item FOREIGN KEY (tenant_id, item_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT item_former_paths_segment CHECK (right(path, length(segment) + 1) = '/' || segment)
);
CREATE INDEX item_former_paths_by_segment ON item_former_paths (tenant_id, language, segment);
INSERT INTO item_former_paths (tenant_id, item_id, language, path, segment, position)
SELECT h.tenant_id, h.item_id, h.language, p.path, regexp_replace(p.path, '^.*/', ''), p.position
FROM item_histories h CROSS JOIN LATERAL json_array_elements_text(h.paths) WITH ORDINALITY AS p(path, position)
ON CONFLICT DO NOTHING;
DROP TABLE item_histories;
