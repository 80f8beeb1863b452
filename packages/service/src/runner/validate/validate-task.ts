import { setImmediate } from "node:timers/promises";
import {
  checkOperationFile,
  type FileReport,
  issueText,
  type PictureCheck,
  pictureNotGiven,
} from "@lading/schema/internal";
import { settingsOf } from "../../domain/settings/known.ts";
import { type ClaimedTask, whileHolding } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import { failValidation, storeValidation } from "../../storage/bulk-tasks/store-validation.ts";
import { wakeRunners } from "../../storage/bulk-tasks/wake.ts";
import type { Database } from "../../storage/database.ts";
import { storeIssues } from "../../storage/task-details/issues.ts";
import { picturesOfTask } from "../../storage/task-details/pictures.ts";
import { tenantById } from "../../storage/tenants/find.ts";
import { keepHeapSmall } from "../../system/heap.ts";
import { stretchHashes } from "../../uploads/stretches.ts";
import type { RunnerServices } from "../services.ts";
import { logValidation } from "../task-log.ts";
import type { ReadingPosition } from "./reading-position.ts";

/** Number of issues that the task's `stack` shows as text. */
const issuesInStack = 10;
/** Maximum bytes checked before yielding: about a millisecond's work. */
const sliceBytes = 16 * 1024;
/** Minimum bytes of a slice, if checking takes long: a three-byte operation may be invalid, too. */
const leastSliceBytes = 256;
/** Target duration of a slice, in milliseconds; after a slower one, yields immediately. */
const sliceMs = 10;
/** Size up to which a file is short, in bytes. */
const shortFile = 1024 ** 2;
/** Rows written by the claim and the report. */
const changesOfValidation = new Map([["bulk_tasks", 2]]);

/**
 * Pass one: reads the whole file and stores a report. If the report has errors, the task ends in `error` and nothing of
 * it is executed; otherwise it is released and queued. For a strict task every warning is an error. After its first MiB
 * a file waits for short work. Returns false, with nothing stored, when the signal was aborted before the end of the
 * file.
 */
export async function validateTask(
  services: RunnerServices,
  task: ClaimedTask,
  position: ReadingPosition,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, store, scheduler, onRowsWritten, logger } = services;
  const began = performance.now();
  let end = scheduler.short();
  const yieldToShort = (isFirst: boolean) => {
    if (isFirst) {
      end();
      end = keepHeapSmall();
    }
    return scheduler.yieldToShort();
  };
  try {
    const hashes = stretchHashes();
    const slices = inSlices(store.read(task.key, { etag: task.etag }), {
      hashes,
      position,
      signal,
      yieldToShort,
    });
    const hasSetting = settingsOf(await tenantById(database, task.tenantId));
    const checks = { strict: task.strict, hasSetting, pictures: await picturesOf(database, task) };
    const report = await checkOperationFile(slices, checks).catch((error) => {
      if (error !== signal.reason) throw error;
    });
    if (report === undefined) return false;
    await storeReport(database, task, report, hashes.base64());
    logValidation(logger, report, began);
    await onRowsWritten(changesOfValidation);
    return true;
  } finally {
    end();
  }
}

/** Checks the pictures that the file names: the task has some. */
async function picturesOf(database: Database, task: ClaimedTask): Promise<PictureCheck> {
  const pictures = task.hasPictures ? await picturesOfTask(database, task) : [];
  const given = new Set(pictures.map(({ path }) => path));
  return {
    severity: "warning",
    problemOf: (path) => (given.has(path) ? undefined : pictureNotGiven(path)),
  };
}

async function storeReport(
  database: Database,
  task: ClaimedTask,
  report: FileReport,
  hashes: string,
): Promise<void> {
  await whileHolding(database, task, async (transaction) => {
    await storeIssues(transaction, task.tenantId, task.taskId, report.issues);
    if (report.errorCount === 0) await storeValidation(transaction, task, report, hashes);
    else await failValidation(transaction, task, report, invalid(report));
    await wakeRunners(transaction);
  });
}

interface SliceOptions {
  readonly hashes: ReturnType<typeof stretchHashes>;
  readonly position: ReadingPosition;
  readonly signal: AbortSignal;
  /** Called before each slice beyond the size of a short file. */
  readonly yieldToShort: (isFirst: boolean) => Promise<void>;
}

/** Cuts a stream into slices that take about a millisecond to check. Throws the signal's reason when it is aborted. */
async function* inSlices(
  stream: AsyncIterable<Uint8Array>,
  { hashes, position, signal, yieldToShort }: SliceOptions,
) {
  let bytes = 0;
  let isShort = true;
  let size = sliceBytes;
  for await (const chunk of stream)
    for (let start = 0, end = 0; start < chunk.length; start = end) {
      signal.throwIfAborted();
      if (bytes > shortFile) {
        await yieldToShort(isShort);
        isShort = false;
      }
      end = Math.min(chunk.length, start + size);
      bytes += end - start;
      const slice = chunk.subarray(start, end);
      hashes.add(slice);
      const began = performance.now();
      yield slice;
      const isSlow = performance.now() - began > sliceMs;
      await position.passed(bytes);
      size = isSlow ? Math.max(leastSliceBytes, size / 2) : Math.min(sliceBytes, 2 * size);
      if (isSlow) await setImmediate();
    }
}

function invalid(report: FileReport) {
  const errors = report.issues.filter(({ severity }) => severity === "error");
  const many = report.errorCount === 1 ? "1 error" : `${report.errorCount} errors`;
  const lines = errors.slice(0, issuesInStack).map(issueText);
  if (report.errorCount > lines.length)
    lines.push(`… and ${report.errorCount - lines.length} more: see the task's issues`);
  return {
    error: `The file has ${many}; nothing was executed. First: ${errors[0] ? issueText(errors[0]) : ""}`,
    stack: lines.join("\n"),
  };
}
