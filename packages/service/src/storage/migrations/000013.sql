-- The published price and stock of variants, once for all languages. A variant that was deleted stays in the published
-- versions until they are published again, and its row with it: hence no reference to product_variants.
CREATE TABLE published_variants (
  tenant_id text NOT NULL,
  variant_id text NOT NULL,
  product_id text NOT NULL,
  -- The languages whose published version holds a copy of the variant.
  languages json NOT NULL,
  price_variants json NOT NULL,
  stock_locations json NOT NULL,
  PRIMARY KEY (tenant_id, variant_id),
  CONSTRAINT published_variants_product FOREIGN KEY (tenant_id, product_id) REFERENCES items DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX published_variants_of_product ON published_variants (tenant_id, product_id);

-- Of the copies of one variant the one that was published last counts.
INSERT INTO published_variants (tenant_id, variant_id, product_id, languages, price_variants, stock_locations)
SELECT tenant_id, variant_id, item_id, json_agg(language ORDER BY language),
  (array_agg(price_variants ORDER BY updated_at DESC, language))[1],
  (array_agg(stock_locations ORDER BY updated_at DESC, language))[1]
FROM (
  SELECT c.tenant_id, c.item_id, c.language, c.updated_at, v->>'id' AS variant_id,
    v->'priceVariants' AS price_variants, v->'stockLocations' AS stock_locations
  FROM item_contents c CROSS JOIN LATERAL json_array_elements(c.variants) AS v
  WHERE c.version = 'published' AND c.variants IS NOT NULL
) copies
GROUP BY tenant_id, item_id, variant_id;

UPDATE item_contents SET variants = (
  SELECT coalesce(json_agg(v::jsonb - 'priceVariants' - 'stockLocations' ORDER BY position), '[]')
  FROM json_array_elements(variants) WITH ORDINALITY AS e(v, position)
) WHERE variants IS NOT NULL;

