import type { Database } from "../../../packages/service/src/storage/database.ts";
import { entriesOfBlock } from "../../../packages/service/src/storage/task-details/log-blocks.ts";
import type { StoredLog } from "../../../packages/service/src/storage/task-details/operation-logs.ts";

export const blockInsert = /INSERT INTO operation_log_blocks/;

interface StoredBlock {
  taskId: string;
  first: number;
  end: number;
  intents: string[];
  actions: (string | null)[];
  statuses: string[];
  counts: number[];
  rawBytes: number;
  entries: Uint8Array;
}

interface StoredFailure {
  taskId: string;
  index: number;
  status: string;
}

interface LoggedTask {
  id: string;
  cursor: number;
  succeeded: number;
  partial: number;
  failed: number;
}

/** The log entries of a tenant or of one of its tasks, in the order of tasks and numbers, as they are in the blocks. */
export async function storedEntries(
  database: Database,
  tenantId: string,
  taskId: string | null = null,
): Promise<StoredLog[]> {
  const entries: StoredLog[] = [];
  for (const block of await storedBlocks(database, tenantId, taskId))
    for (const text of await entriesOfBlock(block)) entries.push(text.parse());
  return entries;
}

const storedBlocks = (database: Database, tenantId: string, taskId: string | null): Promise<StoredBlock[]> =>
  database.query<StoredBlock>(
    `SELECT task_id AS "taskId", first_index AS first, end_index AS end, intents, actions, statuses, counts,
       raw_bytes AS "rawBytes", entries
     FROM operation_log_blocks WHERE tenant_id = $1 AND ($2::text IS NULL OR task_id = $2)
     ORDER BY task_id, first_index`,
    [tenantId, taskId],
  );

/**
 * Finds what is wrong with the logs of a tenant. The blocks of each task must follow each other from 0 to its cursor,
 * each entry must be in its block and there only, and all that is counted must be what the entries say.
 */
export async function logFaults(database: Database, tenantId: string): Promise<string[]> {
  const tasks = await database.query<LoggedTask>(
    `SELECT id, cursor_index AS cursor, succeeded, partial, failed FROM bulk_tasks
     WHERE tenant_id = $1 AND pruned_at IS NULL`,
    [tenantId],
  );
  const failures = await database.query<StoredFailure>(
    `SELECT task_id AS "taskId", index, status FROM operation_log_failures WHERE tenant_id = $1 ORDER BY 1, 2`,
    [tenantId],
  );
  const blocks = Map.groupBy(await storedBlocks(database, tenantId, null), ({ taskId }) => taskId);
  const faults: string[] = [];
  for (const task of tasks) {
    const ofTask = failures.filter(({ taskId }) => taskId === task.id);
    for (const fault of await faultsOf(task, blocks.get(task.id) ?? [], ofTask))
      faults.push(`the log of task ${task.id} ${fault}`);
    blocks.delete(task.id);
  }
  for (const id of blocks.keys()) faults.push(`the log of task ${id} has no task`);
  return faults;
}

async function faultsOf(
  task: LoggedTask,
  blocks: readonly StoredBlock[],
  failures: readonly StoredFailure[],
): Promise<string[]> {
  const faults: string[] = [];
  const found = { success: 0, partial: 0, failure: 0 };
  const failed: Pick<StoredFailure, "index" | "status">[] = [];
  let [cursor, last] = [0, -1];
  for (const block of blocks) {
    if (block.first !== cursor) faults.push(`has a block from ${block.first}, not from ${cursor}`);
    cursor = block.end;
    const counted: Record<string, number> = {};
    for (const { index, intent, action, status } of await entriesOfBlock(block)) {
      if (index < block.first || index >= block.end)
        faults.push(`has the entry ${index} in the block ${block.first}`);
      if (index <= last) faults.push(`has the entry ${index} after the entry ${last}`);
      last = index;
      const combination = [intent, action, status].join(" ");
      counted[combination] = (counted[combination] ?? 0) + 1;
      if (status === "success" || status === "partial" || status === "failure") found[status]++;
      if (status !== "success") failed.push({ index, status });
    }
    const stated = Object.fromEntries(
      block.counts.map((count, i) => [
        [block.intents[i], block.actions[i], block.statuses[i]].join(" "),
        count,
      ]),
    );
    if (!same(sorted(stated), sorted(counted)))
      faults.push(
        `has a block from ${block.first} with other counts: ${JSON.stringify(stated)}, not ${JSON.stringify(counted)}`,
      );
  }
  if (cursor !== task.cursor) faults.push(`ends before ${cursor}, the task is at ${task.cursor}`);
  const { succeeded: success, partial, failed: failure } = task;
  if (!same(found, { success, partial, failure }))
    faults.push(
      `has ${JSON.stringify(found)}, and the task ${JSON.stringify({ success, partial, failure })}`,
    );
  const rows = failures.map(({ index, status }) => ({ index, status }));
  if (!same(rows, failed)) faults.push(`has ${failed.length} failures, and ${rows.length} rows for them`);
  return faults;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const sorted = (counts: Record<string, number>) => Object.entries(counts).sort();
