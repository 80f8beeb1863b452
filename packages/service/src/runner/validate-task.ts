import { checkOperationFile, type FileReport, issueText } from "@lading/schema";
import type { Queries } from "../storage/database.ts";
import { type ClaimedTask, changeClaimed, whileHolding } from "../tasks/claim.ts";
import { storeIssues } from "../tasks/issues.ts";
import { wakeRunners } from "../tasks/wake.ts";
import type { RunnerServices, Stint } from "./run-task.ts";

/** How many issues the task's `stack` shows as text. */
const issuesInStack = 10;
/** Rows of one insert of reference lifetimes. */
const lifetimesPerStatement = 20_000;

/**
 * Pass one: reads the whole file and stores what was found. With an error among the issues the task ends in `error`
 * and nothing of it is ever executed; otherwise it waits for its tenant's turn, as unclaimed as it was. Returns in the
 * middle of the file, with nothing stored, when the stint is over.
 */
export async function validateTask(
  { database, store }: RunnerServices,
  task: ClaimedTask,
  { over }: Pick<Stint, "over">,
): Promise<void> {
  const stream = unless(over, store.read(task.key, { etag: task.etag }));
  const report = await checkOperationFile(stream).catch((error) => {
    if (!(error instanceof Stopped)) throw error;
  });
  if (report === undefined) return;
  await whileHolding(database, task, async (transaction) => {
    await storeIssues(transaction, task.tenantId, task.taskId, report.issues);
    if (report.errorCount === 0) await storeLifetimes(transaction, task, report);
    const { assignments, parameters } = report.errorCount === 0 ? validated(report) : invalid(report);
    await changeClaimed(
      transaction,
      task,
      `sha256 = $5, file_version = $6, error_count = $7, warning_count = $8,
       owner = NULL, lease_until = NULL, attempts = 0, ${assignments}`,
      [report.sha256, report.version, report.errorCount, report.warningCount, ...parameters],
    );
    await wakeRunners(transaction);
  });
}

class Stopped extends Error {}

async function* unless(over: () => boolean, stream: AsyncIterable<Uint8Array>) {
  for await (const chunk of stream) {
    if (over()) throw new Stopped();
    yield chunk;
  }
}

const validated = (report: FileReport) => ({
  assignments: "validated_at = now(), total = $9",
  parameters: [report.operations],
});

function invalid(report: FileReport) {
  const errors = report.issues.filter(({ severity }) => severity === "error");
  const many = report.errorCount === 1 ? "1 error" : `${report.errorCount} errors`;
  const shown = errors.slice(0, issuesInStack).map(issueText);
  if (report.errorCount > shown.length)
    shown.push(`… and ${report.errorCount - shown.length} more: see the task's issues`);
  return {
    assignments:
      "status = 'error', ended_at = now(), error = $9, error_name = 'ValidationError', stack = $10",
    parameters: [
      `The file has ${many}; nothing was executed. First: ${errors[0] ? issueText(errors[0]) : ""}`,
      shown.join("\n"),
    ],
  };
}

async function storeLifetimes(queries: Queries, task: ClaimedTask, { lifetimes }: FileReport): Promise<void> {
  for (let start = 0; start < lifetimes.length; start += lifetimesPerStatement) {
    await queries.execute(
      `INSERT INTO bulk_task_references (tenant_id, task_id, index, last_reader)
       SELECT $1, $2, r.index, r."lastReader" FROM json_to_recordset($3::json) AS r(index int, "lastReader" int)`,
      [task.tenantId, task.taskId, JSON.stringify(lifetimes.slice(start, start + lifetimesPerStatement))],
    );
  }
}
