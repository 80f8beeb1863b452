import type { FileReport } from "@lading/schema";
import { Command, Option } from "commander";
import { type Context, count, counted, line, note } from "../../context.ts";
import { checkFile, issueText } from "../../files/check-file.ts";
import { type TenantFlags, withDetails, withExamples, withTenant } from "../../options.ts";
import { download } from "../../service/graphql.ts";
import { taskEndpoint } from "../../service/task-endpoint.ts";
import { outcomesToRetry, type RetriedOutcome } from "../../task/retry.ts";

interface Flags extends TenantFlags {
  include?: RetriedOutcome[];
  references: string;
}

/** `lading mass-operation failures <task>`: a task's failures, as a file that runs by itself. */
export function command(context: Context): Command {
  const failures = new Command("failures")
    .description(
      "Prints the operations of an ended task that failed or were not attempted, as a file to fix and run.",
    )
    .argument("<task>", "the task's id, as `run` prints it")
    .addOption(
      new Option(
        "--references <form>",
        "references to operations outside the file: replaced with the values they read, or kept as written",
      )
        .choices(["resolved", "kept"])
        .default("resolved"),
    )
    .addOption(
      new Option(
        "--include <outcome...>",
        "the outcomes to print (default: failed and not-attempted)",
      ).choices(outcomesToRetry),
    )
    .action((taskId: string, flags: Flags) => print(context, taskId, flags));
  return withExamples(
    withDetails(withTenant(failures), details),
    "lading mass-operation failures 6561f0c2a1b2c3d4e5f60718 > fix.json",
    "lading mass-operation failures 6561f0c2a1b2c3d4e5f60718 --references kept > fix.json",
  );
}

const details = `Failures that a retry has repaired since are left out. References that the file cannot resolve by itself are listed
on standard error.`;

async function print(context: Context, taskId: string, flags: Flags): Promise<void> {
  const { endpoint } = await taskEndpoint(context, taskId, flags);
  const { include, references } = flags;
  const query = new URLSearchParams({ references });
  if (include) query.set("include", include.join());
  const address = `/tasks/${encodeURIComponent(taskId)}/failures.json?${query}`;
  const report = await checkFile(printed(context, download(endpoint, address)), {});
  warn(context, report);
  if (report.operations === 0) note(context, `Task ${taskId} has no such operations: the file has none.`);
  else note(context, `${counted(report.operations, "operation")} of task ${taskId}`);
}

/** Prints a file as it arrives, no faster than the output takes it, and passes it on. */
async function* printed({ stdout }: Context, file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  for await (const chunk of file) {
    stdout.write(decoder.decode(chunk, { stream: true }));
    await stdout.drained?.();
    yield chunk;
  }
}

/** Maximum number of references listed. */
const listed = 20;

/** Lists the references to operations that are not in the file, by the check that a run begins with. */
function warn({ stderr }: Context, { issues }: FileReport): void {
  const outside = issues.filter(({ code }) => code === "UndefinedReference" || code === "ForwardReference");
  for (const issue of outside.slice(0, listed)) line(stderr, issueText(stderr, "failures", issue));
  if (outside.length > listed) line(stderr, `… and at least ${count(outside.length - listed)} more`);
}
