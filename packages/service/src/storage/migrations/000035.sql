-- Every transaction that writes rows of a tenant asks if images were released.
CREATE INDEX fetched_images_released ON fetched_images (tenant_id) WHERE released;
