-- Files of pictures whose rows an undo has removed: they stay as long as that undo can be undone.
ALTER TABLE operation_before_images
  -- The keys of the pictures whose rows the operations have removed; null without any.
  ADD COLUMN image_keys text[];
CREATE INDEX operation_before_images_of_files ON operation_before_images USING gin (image_keys)
  WHERE image_keys IS NOT NULL;

-- True: an undo has removed its row, and its file may be one that a client has uploaded; then it stays.
ALTER TABLE fetched_images ADD COLUMN released boolean NOT NULL DEFAULT false;
