import { causeOf } from "../../errors.ts";
import type { Database, Queries } from "../database.ts";
import { retriedTransaction } from "../retry.ts";
import { isMissingTable, sqlStateOf, sqlStates } from "../sql-states.ts";
import { lockTenantToKeep } from "../tenants/find.ts";
import { entriesPerBlock } from "./log-blocks.ts";
import { estimatedBytes, oldColumns, onOldLogs } from "./old-logs.ts";
import type { BlockEntry } from "./operation-logs.ts";
import { writeLogs } from "./write-logs.ts";

// Moves the entries of versions before schema 21 from the table `operation_logs` into blocks, and drops the table.

/** The end of a portion, in the order in which entries are moved; without a task, the end of the tenant's entries. */
export interface OldLogPosition {
  readonly tenantId: string;
  readonly last?: { readonly taskId: string; readonly index: number };
}

/** A portion that was moved. */
export interface MovedPortion {
  readonly end: OldLogPosition;
  readonly entries: number;
}

/** Most bytes of a portion, by an estimate that is never too low; a single entry may be larger. */
const portionBytes = 16 * 1024 ** 2;

/** One process moves a portion at a time: two would meet at the same rows. */
const turns = { own: "move old logs" };

/**
 * Moves the first entries after `after` into blocks, at most as many as a block has, in one transaction; undefined when
 * there are none. Leaves the entries of a tenant that is being deleted to that, and deletes those of one that is gone.
 */
export async function moveOldLogs(
  database: Database,
  after: OldLogPosition | undefined,
): Promise<MovedPortion | undefined> {
  const tenantId = await onOldLogs(database, () => nextTenant(database, after));
  if (tenantId === undefined) return undefined;
  const from = after?.tenantId === tenantId ? after.last : undefined;
  return retriedTransaction(
    database,
    (transaction) => movePortion(transaction, tenantId, from),
    undefined,
    turns,
  );
}

const order = "ORDER BY tenant_id, task_id, index LIMIT 1";

/**
 * Finds the tenant of the first entry after a position. Reading goes on from there because the rows before it are dead:
 * from the beginning, each portion would pass by all that were moved.
 */
async function nextTenant(queries: Queries, after: OldLogPosition | undefined): Promise<string | undefined> {
  const find = (condition: string, ...values: (string | number)[]) =>
    queries.query<{ tenantId: string }>(
      `SELECT tenant_id AS "tenantId" FROM operation_logs ${condition} ${order}`,
      values,
    );
  const { tenantId, last } = after ?? {};
  const [row] =
    tenantId === undefined
      ? await find("")
      : last === undefined
        ? await find("WHERE tenant_id > $1", tenantId)
        : await find("WHERE (tenant_id, task_id, index) > ($1, $2, $3)", tenantId, last.taskId, last.index);
  return row?.tenantId;
}

async function movePortion(
  transaction: Queries,
  tenantId: string,
  from: OldLogPosition["last"],
): Promise<MovedPortion> {
  // Its row is held, so that the tenant is not closed, and its tables are not emptied, before the blocks are there.
  const state = await lockTenantToKeep(transaction, tenantId);
  if (state === "closed") return { end: { tenantId }, entries: 0 };
  const rows = await transaction.query<OldEntry>(takePortion, [
    ...[tenantId, from?.taskId ?? "", from?.index ?? -1],
    ...[entriesPerBlock, portionBytes],
  ]);
  const runs = consecutive(rows);
  if (state === "open") await Promise.all(runs.map((run) => storeRun(transaction, tenantId, run)));
  const last = rows.at(-1);
  return { end: last === undefined ? { tenantId } : { tenantId, last }, entries: rows.length };
}

type OldEntry = BlockEntry & { taskId: string };

/** Deletes the first entries of a tenant after a place, and returns them in their order. */
const takePortion = `
  WITH taken AS (
    DELETE FROM operation_logs WHERE ctid = ANY (ARRAY (
      SELECT entry FROM (
        SELECT entry, sum(bytes) OVER (ORDER BY task_id, index) - bytes AS before FROM (
          SELECT ctid AS entry, task_id, index, ${estimatedBytes} AS bytes FROM operation_logs
          WHERE tenant_id = $1 AND (task_id, index) > ($2, $3) ORDER BY task_id, index LIMIT $4) first
      ) sized WHERE before < $5))
    RETURNING *)
  SELECT task_id AS "taskId", ${oldColumns("input::text AS input")} FROM taken ORDER BY task_id, index`;

/** Cuts entries into those of one task whose numbers follow each other: what is between has, or had, another block. */
function consecutive(entries: readonly OldEntry[]): OldEntry[][] {
  const runs: OldEntry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    if (previous?.taskId === entry.taskId && previous.index + 1 === entry.index) run?.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function storeRun(transaction: Queries, tenantId: string, run: readonly OldEntry[]): Promise<void> {
  const [{ taskId, index: first } = { taskId: "", index: 0 }] = run;
  const entries = run.map((entry) => ({ ...entry, cause: causeOfEntry(entry) }));
  return writeLogs(transaction, { tenantId, taskId }, { first, end: first + run.length }, entries);
}

/** The cause of a failure. The message of a template's failure ends with its place, which is not part of the cause. */
function causeOfEntry({ message, errors }: BlockEntry): string | null {
  if (message === null) return null;
  const detail = errors?.[0]?.message;
  return causeOf(detail !== undefined && message.startsWith(`${detail} (operations[`) ? detail : message);
}

/** True while there is a table of old entries. */
export async function hasOldLogs(database: Database): Promise<boolean> {
  const rows = await onOldLogs(database, () => database.query("SELECT FROM operation_logs LIMIT 0"));
  return rows !== undefined;
}

/** The most milliseconds for which dropping the table waits for its readers, with others behind it, and holds it. */
const [lockTimeout, dropTimeout] = [100, 200];

/**
 * Drops the table of old entries if it is empty. `busy`: others use it, or it takes too long to see that it is empty;
 * to be tried again later. `gone`: another process was faster.
 */
export async function dropOldLogs(database: Database): Promise<"dropped" | "gone" | "busy" | "filled"> {
  try {
    return await database.transaction(async (transaction) => {
      await transaction.execute(`SET LOCAL lock_timeout = ${lockTimeout}`);
      await transaction.execute(`SET LOCAL statement_timeout = ${dropTimeout}`);
      // Before any query: what another process wrote until it has the lock is to be seen.
      await transaction.execute("LOCK TABLE operation_logs IN ACCESS EXCLUSIVE MODE");
      const left = await transaction.query(`SELECT FROM operation_logs ${order}`);
      if (left.length > 0) return "filled";
      await transaction.execute("DROP TABLE operation_logs");
      return "dropped";
    });
  } catch (error) {
    if (isMissingTable(error)) return "gone";
    const state = sqlStateOf(error);
    if (state === sqlStates.lockNotAvailable || state === sqlStates.queryCanceled) return "busy";
    throw error;
  }
}
