import { setTimeout } from "node:timers/promises";
import { actions } from "@lading/schema/internal";
import { count, counted } from "../context.ts";
import { CliError } from "../exit.ts";
import { changedOperations } from "../plan/changed-operations.ts";
import { planSummary, removalsOf } from "../plan/report.ts";
import { graphql, type ResultOf } from "../service/documents.ts";
import { request, succeeded, TokenRefused } from "../service/graphql.ts";
import { retryWhileUnreachable } from "../task/follow.ts";
import { planHint } from "../task/hint.ts";
import { listTasks } from "../task/list.ts";
import { figures } from "../task/report.ts";
import { start } from "../task/start.ts";
import { createTask, findTask, hasEnded, isHeld, isOfUndo, type Task } from "../task/task.ts";
import { type Answer, fitting, fittingOne } from "./answer.ts";
import { type Call, isAdmin, requireAdmin } from "./call.ts";
import { type Input, issuesAnswer, withChecked } from "./files.ts";
import { mcpLimits } from "./limits.ts";
import { endOfShown } from "./personal.ts";

/** Milliseconds between looks at a task. */
const intervalMs = 200;

/**
 * Waits for a task to end or to be held, as long as a call may take.
 * @throws CliError that names the task, which was created
 */
async function awaited(call: Call, id: string): Promise<Task> {
  try {
    return await endOf(call, id);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const Kind = error instanceof TokenRefused ? TokenRefused : CliError;
    throw new Kind(`task ${id} was created, and call task tells of it later: ${error.message}`);
  }
}

async function endOf({ endpoint, context }: Call, id: string): Promise<Task> {
  const until = Date.now() + mcpLimits.waitSeconds * 1_000;
  for (;;) {
    const look = () => findTask(endpoint, id);
    const task = await retryWhileUnreachable(look, { maxWaitMs: 10_000, signal: context.interrupted });
    if (hasEnded(task) || isHeld(task) || Date.now() > until) return task;
    await setTimeout(intervalMs, undefined, { signal: context.interrupted });
  }
}

interface Page {
  readonly skip: number;
  readonly limit: number;
}

/** Checks and uploads operations or a file, and plans what they would change. */
export function plan(call: Call, { limit, ...input }: Input & { limit: number }): Promise<Answer> {
  return withChecked(call, input, async (checked) => {
    const isInline = input.file === undefined;
    if (checked.report.errorCount > 0)
      return { ...issuesAnswer(checked, { skip: 0, limit, isInline }), isError: true };
    const { strict = false } = input;
    const id = await start(call.context, call.endpoint, checked.file, { kind: "plan", strict });
    return taskAnswer(call, await awaited(call, id), { skip: 0, limit });
  });
}

/** Runs what was planned, once: a repeated call answers the same task, unless that ended before its first operation. */
export async function runByPlan(call: Call, { plan }: { plan: string }): Promise<Answer> {
  await requireAdmin(call, "run_by_plan");
  const { endpoint } = call;
  for (let before = ""; ; ) {
    const idempotencyKey = `lading mcp: run by plan ${plan}${before}`;
    const { id, status } = await createTask(endpoint, { plan, idempotencyKey });
    // A task that is created now has not ended.
    const hasRun = status !== "error" || (await findTask(endpoint, id)).progress.processed > 0;
    if (hasRun) return taskAnswer(call, await awaited(call, id), { skip: 0, limit: 10 });
    before = ` after ${id}`;
  }
}

/** A task with its counts, and of a plan what it would change; without an id the newest tasks. */
export async function task(call: Call, { task: id, skip, limit }: Page & { task?: string | undefined }) {
  if (id !== undefined) return taskAnswer(call, await findTask(call.endpoint, id), { skip, limit });
  const lists = await Promise.all([
    listTasks(call.endpoint, { limit }),
    listTasks(call.endpoint, { limit, kind: "plan" }),
  ]);
  const newest = lists
    .flat()
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, limit);
  const tasks = fitting(
    newest.map(({ id, kind, status, createdAt, ...rest }) => ({
      ...{ id, kind, status, createdAt },
      counts: figures({ id, kind, status, createdAt, ...rest }),
    })),
  );
  return {
    says: [`The newest ${counted(tasks.length, "task")}. For one: task.`],
    data: { tasks },
  };
}

async function taskAnswer(call: Call, task: Task, page: Page): Promise<Answer> {
  const { kind, status, progress } = task;
  const info = await shownInfo(call, task);
  const [id = "?"] = /^[0-9a-f]{24}/.exec(task.id) ?? [];
  const isPlan = kind === "plan";
  const failed = progress.failed + progress.partial;
  const isOver = hasEnded(task);
  const says = [
    `Task ${id}, ${kind}: ${isHeld(task) ? "held" : status}. ${isPlan && isOver ? planSummary(task, 0) : figures(task)}.`,
    ...(isOver ? [] : ["It has not ended: call task again later."]),
    ...(info ? ["It ended in error: `info` says why."] : []),
    ...(info && !("error" in info) ? ["What is wrong with the file needs an admin's token."] : []),
    ...(failed > 0 ? [`For the causes of ${counted(failed, "failure")}: failures.`] : []),
  ];
  const waitingFor = progress.waitingFor ?? undefined;
  if (!isPlan || !isOver) return { says, data: { ...(info && { info }), ...(waitingFor && { waitingFor }) } };
  const changed = actions.reduce((sum, action) => sum + (action === "unchanged" ? 0 : progress[action]), 0);
  const { changes, hidden, shownEnd } = await changesOf(call, task, page);
  const end = page.skip + changes.length;
  // A template may have made the name of a component of anything.
  const removals = removalsOf(task, shownEnd >= progress.processed);
  return {
    says: [
      ...says,
      removals.length > 0 ? "It would remove what `removals` lists." : "It would remove nothing.",
      ...(changes.length > 0
        ? [
            `Changes of operations ${page.skip + 1} to ${end} of ${count(changed)} with changes, removals first.`,
          ]
        : []),
      ...hidden,
      ...(end >= changed
        ? []
        : end <= mcpLimits.changesLeftOut
          ? [`For more: task with ${id} and skip ${end}.`]
          : ["The console has the others."]),
      ...(status === "complete" && !isOfUndo(task) ? approval(call, id) : []),
    ],
    data: { ...(info && { info }), removals: fittingOne(removals, mcpLimits.restBytes), changes },
  };
}

/** Why a task ended in error; of an invalid file only that it is, since its issues quote values of any operation. */
const shownInfo = async (call: Call, { info }: Task) =>
  info?.errorName !== "ValidationError" || (await isAdmin(call)) ? info : { errorName: info.errorName };

/** Where a person approves a plan. */
const approval = ({ tenant, url }: Call, id: string): string[] => [
  "Nothing was changed. A person looks at the plan and runs it:",
  `  in the console: ${url}/console/@${encodeURIComponent(tenant)}/tasks/${id}`,
  `  or by command: ${planHint(id, { tenant, url })}`,
];

async function changesOf(call: Call, { id }: Task, { skip, limit }: Page) {
  const [operations, end] = await Promise.all([
    Array.fromAsync(changedOperations(call.endpoint, id, skip + limit)),
    endOfShown(call, id),
  ]);
  const asked = operations.slice(skip);
  const changes = asked.map(({ index, intent, ref, action, changes, unknownUntilApplied }) => {
    return {
      ...{ index, intent, action },
      ...(index < end && {
        ref,
        ...(changes && { entities: changes.entities, ...(changes.more > 0 && { more: changes.more }) }),
      }),
      ...(unknownUntilApplied.length > 0 && { unknownUntilApplied }),
    };
  });
  return { changes: fitting(changes), hidden: hiddenFrom(end, asked), shownEnd: end };
}

/** Says that values are left out, if they are. */
const hiddenFrom = (end: number, operations: readonly { index: number }[]): string[] =>
  operations.every(({ index }) => index < end)
    ? []
    : [
        `Values and messages of operations with an index from ${end} on need an admin's token: one of them, or what it ` +
          "follows, may have read customers, orders or the like.",
      ];

const failuresQuery = graphql(`
  query Failures($id: ID!, $filter: OperationLogFilter!, $first: Int, $after: String) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        status
        progress { failed partial repaired }
        failureGroups(first: 20) {
          edges { node { cause errorName statusCode intent count firstIndex sampleMessage } }
          totalCount
        }
      }
      ... on BasicError { error errorName }
    }
    operationLogs(filter: $filter, first: $first, after: $after) {
      edges { cursor node { index ref intent status statusCode errorName message errors input } }
      pageInfo { hasNextPage endCursor }
    }
  }`);

type Failure = ResultOf<typeof failuresQuery>["operationLogs"];

interface AskedFailures {
  readonly task: string;
  readonly cause?: string | undefined;
  readonly limit: number;
  readonly after: string;
}

/** The causes of a task's failures, largest first and dependent ones last, and operations that failed. */
export async function failures(call: Call, { task, cause, limit, after }: AskedFailures): Promise<Answer> {
  const filter = { operationId: task, unrepaired: true, ...(cause !== undefined && { cause }) };
  const variables = { id: task, filter, first: limit, after };
  const [answer, end] = await Promise.all([
    request(call.endpoint, failuresQuery, variables),
    endOfShown(call, task),
  ]);
  const { progress, failureGroups } = succeeded(answer.bulkTask);
  const { edges, pageInfo }: NonNullable<Failure> = answer.operationLogs;
  const samples = fitting(
    edges.map(({ node: { index, intent, status, statusCode, errorName, ...rest } }) => ({
      ...{ index, intent, status, statusCode, errorName },
      ...(index < end && rest),
    })),
  );
  // A cause names a component by its path, which a template may have made of anything.
  const causes = failureGroups.edges.map(({ node: { cause, sampleMessage, ...group } }) => ({
    ...(group.firstIndex < end && { cause }),
    ...group,
    ...(group.firstIndex < end && { sampleMessage }),
  }));
  const hasMore = samples.length < edges.length || pageInfo.hasNextPage;
  const next = samples.length < edges.length ? edges[samples.length - 1]?.cursor : pageInfo.endCursor;
  const shown = [
    ...causes.map(({ firstIndex }) => ({ index: firstIndex })),
    ...edges.map(({ node }) => node),
  ];
  return {
    says: [
      `${counted(progress.failed, "operation")} failed, ${count(progress.partial)} partly; ${count(progress.repaired ?? 0)} repaired since.`,
      `${counted(failureGroups.totalCount ?? causes.length, "cause")}, and ${counted(samples.length, "operation")} that failed.`,
      ...(hasMore ? ["For more: after. For operations of one cause: cause."] : []),
      ...hiddenFrom(end, shown),
    ],
    data: {
      causes: after === "" ? fitting(causes, mcpLimits.restBytes) : [],
      samples,
      ...(hasMore && { after: next }),
    },
  };
}
