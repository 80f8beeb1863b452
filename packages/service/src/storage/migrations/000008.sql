-- The log keeps what templates rendered to by its place, not a second copy of the operation. What is logged already
-- is one part: the pointer "" is the whole.
ALTER TABLE operation_logs ADD COLUMN rendered json;
UPDATE operation_logs SET rendered = json_build_object('', command) WHERE command IS NOT NULL;
ALTER TABLE operation_logs DROP COLUMN command;
