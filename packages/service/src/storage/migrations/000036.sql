-- The SHA-256 of an image's file, in hexadecimal: an operation that uploads a file with it uses the image. Null where it
-- was not computed: the image was registered before this column, or is larger than what operations upload.
ALTER TABLE images ADD COLUMN sha256 text;
CREATE INDEX images_sha256 ON images (tenant_id, sha256);
