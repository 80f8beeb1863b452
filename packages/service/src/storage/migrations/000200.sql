-- The first 64 bits of the SHA-256 of the message; null: logged before. A group of failures has one message if its least
-- digest is its greatest.
ALTER TABLE operation_log_failures ADD COLUMN message_digest bigint;
