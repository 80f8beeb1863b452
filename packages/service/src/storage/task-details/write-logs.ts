import { hash } from "node:crypto";
import type { Queries } from "../database.ts";
import { type EntryImages, writeBeforeImages } from "./before-images.ts";
import { compressBlock, cutIntoBlocks, type LogBlock } from "./log-blocks.ts";
import type { BlockEntry, LogEntry, LogKey, LogRange } from "./operation-logs.ts";

const insertBlock = `
  INSERT INTO operation_log_blocks (tenant_id, task_id, first_index, end_index, intents, actions, statuses, counts,
    raw_bytes, entries)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

const insertFailures = `
  INSERT INTO operation_log_failures (tenant_id, task_id, index, status, status_code, error_name, intent, cause,
    message_digest)
  SELECT $1, $2, * FROM unnest($3::int[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::bigint[])`;

/** The part of a failed entry by which it is found and grouped. */
export type FailureRow = Pick<
  BlockEntry,
  "index" | "status" | "statusCode" | "errorName" | "intent" | "message"
> &
  Pick<LogEntry, "cause">;

/**
 * Writes the entries of a range's operations, with their before-images, in the transaction that moves the task's cursor
 * from the range's first operation to its end. Consecutive ranges of a transaction leave no gap.
 */
export async function writeLogs(
  queries: Queries,
  key: LogKey,
  range: LogRange,
  entries: readonly (BlockEntry & Pick<LogEntry, "cause"> & EntryImages)[],
): Promise<void> {
  const blocks = cutIntoBlocks(range, entries);
  const failures = entries.filter(({ status }) => status !== "success");
  await Promise.all([
    ...blocks.map((block) => storeBlock(queries, key, block)),
    storeFailures(queries, key, failures),
    writeBeforeImages(queries, key, entries),
  ]);
}

async function storeBlock(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  { first, end, counts, texts }: LogBlock,
): Promise<void> {
  const { rawBytes, entries } = await compressBlock(texts);
  const columns = [
    counts.map(({ intent }) => intent),
    counts.map(({ action }) => action),
    counts.map(({ status }) => status),
    counts.map(({ count }) => count),
  ];
  await queries.execute(insertBlock, [tenantId, taskId, first, end, ...columns, rawBytes, entries]);
}

/** Stores the rows of entries that are not a success. */
async function storeFailures(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  failures: readonly FailureRow[],
): Promise<void> {
  if (failures.length === 0) return;
  await queries.execute(insertFailures, [
    tenantId,
    taskId,
    failures.map(({ index }) => index),
    failures.map(({ status }) => status),
    failures.map(({ statusCode }) => statusCode),
    failures.map(({ errorName }) => errorName),
    failures.map(({ intent }) => intent),
    failures.map(({ cause }) => cause),
    failures.map(({ message }) => digestOf(message ?? "")),
  ]);
}

/** The first 64 bits of a message's SHA-256, as a bigint's text. */
const digestOf = (message: string): string => hash("sha256", message, "buffer").readBigInt64BE().toString();
