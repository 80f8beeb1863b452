import type { Database } from "../../../packages/service/src/storage/database.ts";
import {
  type CompressedBlock,
  compressBlock,
  decompressBlock,
} from "../../../packages/service/src/storage/task-details/log-blocks.ts";

/** Leaves a task of one block as if the before-images of its first operation had been too large to keep. */
export async function dropLargeBefore(database: Database, tenantId: string, taskId: string): Promise<void> {
  const blocks = "FROM operation_log_blocks WHERE tenant_id = $1 AND task_id = $2";
  const read = `SELECT raw_bytes AS "rawBytes", entries ${blocks}`;
  const [block] = await database.query<CompressedBlock>(read, [tenantId, taskId]);
  const text = (await decompressBlock(block!)).toString();
  const changed = await compressBlock([text.replace('"startedAt"', '"beforeTooLarge":true,"startedAt"')]);
  const set =
    "UPDATE operation_log_blocks SET raw_bytes = $3, entries = $4 WHERE tenant_id = $1 AND task_id = $2";
  await database.execute(set, [tenantId, taskId, changed.rawBytes, changed.entries]);
  const remove = "DELETE FROM operation_before_images WHERE tenant_id = $1 AND task_id = $2";
  await database.execute(remove, [tenantId, taskId]);
}
