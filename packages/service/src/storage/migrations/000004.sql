-- The settings of a tenant are a document of its row, read with it. Every list is there, and those that items and
-- products cannot do without have an entry: the first is the default.

UPDATE tenants SET settings = (
  jsonb_build_object('markets', '[]'::jsonb, 'subscriptionPlans', '[]'::jsonb, 'pipelines', '[]'::jsonb)
  || jsonb_build_object(
    'languages', '[{"code": "en", "name": "English"}]'::jsonb,
    'vatTypes', jsonb_build_array(jsonb_build_object('id', substr(md5(id), 1, 24), 'name', 'No tax', 'percent', 0)),
    'priceVariants', '[{"identifier": "default", "name": "Default", "currency": "EUR"}]'::jsonb,
    'stockLocations', '[{"identifier": "default", "name": "Default"}]'::jsonb,
    'uploadMaxBytes', 1073741824,
    'uploadLifetimeSeconds', 900)
  || coalesce(
    (SELECT jsonb_object_agg(key, value) FROM jsonb_each(settings::jsonb) WHERE value <> '[]'::jsonb), '{}'))::json;

ALTER TABLE tenants ADD CONSTRAINT tenants_settings CHECK ((
  json_array_length(settings->'languages') > 0
  AND json_array_length(settings->'vatTypes') > 0
  AND json_array_length(settings->'priceVariants') > 0
  AND json_array_length(settings->'stockLocations') > 0
  AND json_typeof(settings->'markets') = 'array'
  AND json_typeof(settings->'subscriptionPlans') = 'array'
  AND json_typeof(settings->'pipelines') = 'array'
  AND (settings->>'uploadMaxBytes')::bigint > 0
  AND (settings->>'uploadLifetimeSeconds')::int > 0
) IS TRUE);
