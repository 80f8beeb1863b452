-- An item is in a stage of its own flow, also where another writer gives the stage to another flow at that moment. What two
-- writers have parted before goes with the stage, unless it is in that flow already.
ALTER TABLE flow_stages ADD CONSTRAINT flow_stages_in_flow UNIQUE (tenant_id, flow_identifier, identifier);
UPDATE flow_items i SET flow_identifier = s.flow_identifier FROM flow_stages s
WHERE s.tenant_id = i.tenant_id AND s.identifier = i.stage_identifier AND s.flow_identifier <> i.flow_identifier
  AND NOT EXISTS (
    SELECT FROM flow_items o WHERE o.tenant_id = i.tenant_id AND o.flow_identifier = s.flow_identifier
      AND o.item_id = i.item_id AND o.language = i.language);
DELETE FROM flow_items i USING flow_stages s
WHERE s.tenant_id = i.tenant_id AND s.identifier = i.stage_identifier AND s.flow_identifier <> i.flow_identifier;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE flow_items DROP CONSTRAINT flow_items_stage,
  ADD CONSTRAINT flow_items_stage FOREIGN KEY (tenant_id, flow_identifier, stage_identifier)
    REFERENCES flow_stages (tenant_id, flow_identifier, identifier) DEFERRABLE INITIALLY DEFERRED;
