import { setImmediate } from "node:timers/promises";
import { checkOperationFile, type FileReport, issueText } from "@lading/schema";
import { type ClaimedTask, whileHolding } from "../../storage/bulk-tasks/claimed-task.ts";
import { failValidation, storeValidation } from "../../storage/bulk-tasks/store-validation.ts";
import { wakeRunners } from "../../storage/bulk-tasks/wake.ts";
import type { Database } from "../../storage/database.ts";
import { storeIssues } from "../../storage/task-details/issues.ts";
import type { RunnerServices, Stint } from "../execute/execute-task.ts";
import type { Precedence } from "../schedule/scheduler.ts";
import { stretchHashes } from "../stretches.ts";
import { keepHeapSmall } from "./heap.ts";
import type { ReadingPlace } from "./reading-place.ts";

/** One stretch of reading a file. */
export interface ValidationStint extends Pick<Stint, "over"> {
  readonly precedence: Precedence;
  readonly place: ReadingPlace;
}

/** How many issues the task's `stack` shows as text. */
const issuesInStack = 10;
/** Most bytes that are checked before others have the thread: about a millisecond's work. */
const sliceBytes = 16 * 1024;
/** Fewest of them, where what is checked takes long: an operation of three bytes may be wrong, too. */
const leastSliceBytes = 256;
/** How long a slice should take, in milliseconds; after one that took longer others have the thread at once. */
const sliceTime = 10;
/** Bytes of which a file is short. */
const shortFile = 1024 ** 2;
/** By the claim and the report. */
const changesOfValidation = new Map([["bulk_tasks", 2]]);

/**
 * Pass one: reads the whole file and stores what was found; of a strict task every warning is an error. With an error among the issues the task ends in `error`
 * and nothing of it is ever executed; otherwise it waits for its tenant's turn, as unclaimed as it was. Returns in the
 * middle of the file, with nothing stored, when the stint is over. Beyond its first MiB a file waits for what is short.
 */
export async function validateTask(
  { database, store, grown }: RunnerServices,
  task: ClaimedTask,
  stint: ValidationStint,
): Promise<void> {
  let end = stint.precedence.short();
  const noLongerShort = () => {
    end();
    end = keepHeapSmall();
  };
  try {
    const hashes = stretchHashes();
    const stream = inSlices(store.read(task.key, { etag: task.etag }), stint, { hashes, noLongerShort });
    const report = await checkOperationFile(stream, { strict: task.strict }).catch((error) => {
      if (!(error instanceof Stopped)) throw error;
    });
    if (report === undefined) return;
    await storeReport(database, task, report, hashes.base64());
    await grown(changesOfValidation);
  } finally {
    end();
  }
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

class Stopped extends Error {}

async function* inSlices(
  stream: AsyncIterable<Uint8Array>,
  { over, precedence, place }: ValidationStint,
  { hashes, noLongerShort }: { hashes: ReturnType<typeof stretchHashes>; noLongerShort: () => void },
) {
  let bytes = 0;
  let short = true;
  let size = sliceBytes;
  for await (const chunk of stream)
    for (let start = 0, end = 0; start < chunk.length; start = end) {
      if (over()) throw new Stopped();
      if (bytes > shortFile) {
        if (short) noLongerShort();
        short = false;
        await precedence.pass();
      }
      end = Math.min(chunk.length, start + size);
      bytes += end - start;
      const slice = chunk.subarray(start, end);
      hashes.add(slice);
      const began = performance.now();
      yield slice;
      const slow = performance.now() - began > sliceTime;
      await place.passed(bytes);
      size = slow ? Math.max(leastSliceBytes, size / 2) : Math.min(sliceBytes, 2 * size);
      if (slow) await setImmediate();
    }
}

function invalid(report: FileReport) {
  const errors = report.issues.filter(({ severity }) => severity === "error");
  const many = report.errorCount === 1 ? "1 error" : `${report.errorCount} errors`;
  const shown = errors.slice(0, issuesInStack).map(issueText);
  if (report.errorCount > shown.length)
    shown.push(`… and ${report.errorCount - shown.length} more: see the task's issues`);
  return {
    error: `The file has ${many}; nothing was executed. First: ${errors[0] ? issueText(errors[0]) : ""}`,
    stack: shown.join("\n"),
  };
}
