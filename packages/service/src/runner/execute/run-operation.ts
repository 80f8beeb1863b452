import { randomUUID } from "node:crypto";
import { type Intent, parsePayload, toPointer } from "@lading/schema";
import type { Logger } from "pino";
import { type Condition, executeIf } from "../../commands/conditional.ts";
import type { CommandContext, CommandResult } from "../../domain/command.ts";
import { FailedUploads } from "../../domain/payload/failed-uploads.ts";
import { causeOf, codeOf, invalidPayload, type Problem, Rejection } from "../../errors.ts";
import { sqlStateOf } from "../../storage/sql-states.ts";
import type { LogEntry, RenderedParts } from "../../storage/task-details/operation-logs.ts";
import { keepBefore } from "../../storage/unit-of-work/before-images.ts";
import { errorMessage } from "../../system/thrown.ts";
import { findUndoneWrite } from "../../tasks/log/last-change.ts";
import type { Budget } from "../../templates/budget.ts";
import { type RenderedPayload, renderPayload } from "../../templates/render-payload.ts";
import { type RenderScope, TemplateError } from "../../templates/scope.ts";
import { Fetch } from "../images/fetch-queue.ts";
import { omitPaths } from "../images/omit-paths.ts";
import type { OperationImages, UploadedImage } from "../images/task-images.ts";
import { blameImages, registerUploaded, withoutImages } from "../images/uploaded-images.ts";
import type { Batch } from "./batch.ts";
import { type PreparedOperation, withOwnResults } from "./operation-source.ts";

/**
 * Executes one operation and returns its log entry. If the operation fails, rolls back its writes and returns the
 * failure's entry; thrown errors concern the batch (the database), not the operation. Returns undefined when it was not
 * executed, because an image that it uploads is still being fetched.
 */
export async function runOperation(
  batch: Batch,
  operation: PreparedOperation,
): Promise<LogEntry | undefined> {
  const { execution, unit, tenant, actor, scope } = batch;
  const { images } = execution;
  const { index, ref, intent, position, text: input } = operation;
  const began = performance.now();
  const now = new Date().toISOString();
  const mark = unit.mark();
  const condition = conditionOf(batch, operation);
  let rendered: RenderedParts | null = null;
  let outcome: Outcome;
  try {
    const ready = await renderOperation(operation.payload, withOwnResults(scope, operation), images);
    if (ready === undefined) return undefined;
    rendered = partsOf(ready);
    const uploads = ready.failures && new FailedUploads(ready.failures.map(({ path }) => path));
    const context: CommandContext = uploads
      ? { unit, tenant, actor, media: images, now, uploads }
      : { unit, tenant, actor, media: images, now };
    outcome = success(await executeRendered(context, images, { intent, condition }, ready));
    if (uploads !== undefined) rendered = { "": omitPaths(ready.payload, uploads.kept) };
  } catch (error) {
    unit.rollback(mark);
    outcome = failureOf(error, execution.services.logger, operation);
  }
  const durationMs = Math.round((performance.now() - began) * 1_000) / 1_000;
  const before = execution.task.keepsBefore && keepBefore(index, unit.before(mark, now));
  return {
    index,
    ref,
    intent,
    position,
    input,
    ...outcome,
    rendered,
    startedAt: now,
    durationMs,
    ...before,
  };
}

function conditionOf(
  { execution, transaction }: Batch,
  { ifUnchangedSince: since }: PreparedOperation,
): Condition | undefined {
  if (since === undefined) return undefined;
  const doubt = execution.task.keepsBefore
    ? ""
    : ". The task keeps no before-images, so what it changed itself in an earlier batch counts, too";
  const foreign: Condition["foreign"] = (...write) => execution.ownWrites.foreign(transaction, ...write);
  const undone: Condition["undone"] = (...write) => findUndoneWrite(...write, execution.undoneTasks);
  return { since, foreign, undone, doubt };
}

interface RenderedOperation extends RenderedPayload {
  /** The images uploaded by its templates. */
  uploaded?: readonly UploadedImage[];
  /** The images that could not be fetched; texts that need them are omitted from the payload. */
  failures?: readonly Problem[];
}

/** Renders an operation's payload; undefined while an image that it uploads is still being fetched. */
async function renderOperation(
  payload: object,
  scope: RenderScope,
  images: OperationImages,
  budget?: Budget,
): Promise<RenderedOperation | undefined> {
  const rendered = await renderPayload(payload, scope, budget);
  const { unavailable } = rendered;
  if (unavailable === undefined) return withUploaded(rendered);
  const awaited: Fetch[] = [];
  const failures: Problem[] = [];
  for (const { path, reason } of unavailable) {
    if (reason instanceof Fetch) awaited.push(reason);
    else failures.push({ code: codeOf("ImageFetchError"), message: errorMessage(reason), path });
  }
  if (awaited.length > 0) {
    images.await(awaited);
    return undefined;
  }
  const paths = unavailable.map(({ path }) => path);
  const rest = await renderOperation(omitPaths(payload, paths), scope, images, rendered.budget);
  return rest && { ...rest, failures };
}

function withUploaded({ collected, ...rendered }: RenderedPayload): RenderedOperation {
  // Only `upload` collects anything.
  return collected ? { ...rendered, uploaded: collected as readonly UploadedImage[] } : rendered;
}

/**
 * Returns the parts of the payload that templates rendered; all of it if an image could not be fetched, because parts
 * can't say that something was left out.
 */
function partsOf({ payload, texts, failures }: RenderedOperation): RenderedParts | null {
  return failures === undefined ? (texts ?? null) : { "": payload };
}

/** The part of a log entry that has the operation's outcome. */
export type Outcome = Pick<
  LogEntry,
  "status" | "statusCode" | "errorName" | "action" | "message" | "cause" | "output" | "errors"
>;

interface Executed {
  readonly intent: Intent;
  readonly condition: Condition | undefined;
}

/** Executes a rendered payload, and registers the images its templates uploaded. */
function executeRendered(
  context: CommandContext,
  images: OperationImages,
  executed: Executed,
  rendered: RenderedOperation,
): Promise<CommandResult> {
  const { uploaded, failures } = rendered;
  if (uploaded === undefined && failures === undefined) return execute(context, executed, rendered);
  return executeWithImages(context, images, executed, rendered);
}

async function executeWithImages(
  context: CommandContext,
  images: OperationImages,
  executed: Executed,
  rendered: RenderedOperation,
): Promise<CommandResult> {
  const { uploaded, failures } = rendered;
  try {
    let result = await execute(context, executed, rendered);
    if (uploaded !== undefined) result = await registerUploaded(context, images, uploaded, result);
    return failures === undefined ? result : withoutImages(result, failures, context.uploads?.kept);
  } catch (error) {
    throw failures === undefined ? error : blameImages(error, failures);
  }
}

/** Throws the rejection of an invalid payload synchronously; others reject the promise. */
function execute(
  context: CommandContext,
  { intent, condition }: Executed,
  { payload, texts, source }: RenderedOperation,
): Promise<CommandResult> {
  const parsed = parsePayload(intent, payload, texts, source);
  if ("errors" in parsed) throw invalidPayload(parsed.errors);
  return executeIf(condition, context, intent, parsed.payload);
}

export const succeeded = {
  status: "success",
  statusCode: 200,
  errorName: null,
  message: null,
  cause: null,
  errors: null,
} as const;

function success({ action, output, partial }: CommandResult): Outcome {
  const done = { action, output };
  if (partial === undefined) return { ...done, ...succeeded };
  const { name: errorName, message, errors } = partial;
  return {
    ...done,
    status: "partial",
    statusCode: 206,
    errorName,
    message,
    cause: causeOf(message),
    errors,
  };
}

/**
 * The outcome of an operation ended by an error; rethrows errors that concern the batch. A defect is logged by the
 * service.
 */
export function failureOf(
  error: unknown,
  logger: Logger,
  operation: Pick<LogEntry, "index" | "intent">,
): Outcome {
  if (error instanceof Rejection) return failed(error);
  if (error instanceof TemplateError) return templateFailure(error, operation);
  if (sqlStateOf(error) !== undefined) throw error;
  const reference = randomUUID();
  logger.error(
    { err: error, reference, operation: operation.index, intent: operation.intent },
    "operation defect",
  );
  const message = `Internal error; see reference ${reference} in the service log`;
  return failed(new Rejection("InternalError", message));
}

/** Names the template's location in the message: a file may contain thousands of similar ones. */
function templateFailure(
  { code: name, message, path }: TemplateError,
  { index }: Pick<LogEntry, "index">,
): Outcome {
  const placed = `${message} (operations[${index}], ${toPointer(path)})`;
  const rejection = new Rejection(name, placed, [{ code: codeOf(name), message, path }]);
  return { ...failed(rejection), cause: causeOf(message) };
}

/** The outcome of an operation that failed. */
export function failed({ name: errorName, statusCode, message, errors }: Rejection): Outcome {
  const cause = causeOf(message);
  return { status: "failure", statusCode, errorName, action: null, message, cause, output: null, errors };
}
