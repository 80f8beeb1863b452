import { randomUUID } from "node:crypto";
import { type Intent, parsePayload, toPointer } from "@lading/schema";
import type { Logger } from "pino";
import { commandOf } from "../../commands/registry.ts";
import type { CommandContext, CommandResult } from "../../domain/command.ts";
import { FailedUploads } from "../../domain/payload/failed-uploads.ts";
import { invalidPayload } from "../../domain/payload/invalid-payload.ts";
import { codeOf, type ErrorName, errorNames, type Problem, Rejection } from "../../errors.ts";
import { sqlStateOf } from "../../storage/sql-states.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import type { RenderedParts } from "../../tasks/rendered.ts";
import { type RenderScope, TemplateError } from "../../templates/index.ts";
import { leaveOut } from "../images/omit-paths.ts";
import type { TaskImages } from "../images/task-images.ts";
import { blameImages, registerUploaded, withoutImages } from "../images/uploaded-images.ts";
import type { PreparedOperation } from "./operation-source.ts";
import { type RenderedOperation, renderOperation } from "./render-operation.ts";

export interface OperationContext extends CommandContext {
  readonly scope: RenderScope;
  readonly images: TaskImages;
  readonly logger: Logger;
}

/**
 * Executes one operation and says what to log. A failure of the operation becomes its log entry, and all that it
 * wrote is undone; what is thrown concerns the batch (the database), not the operation. Undefined when it was not
 * executed, because an image that it uploads is still on its way.
 */
export async function runOperation(
  context: OperationContext,
  operation: PreparedOperation,
): Promise<LogEntry | undefined> {
  const started = performance.now();
  const mark = context.unit.mark();
  const base = {
    index: operation.index,
    ref: operation.ref,
    intent: operation.intent,
    input: operation.text,
  };
  let rendered: RenderedParts | null = null;
  let outcome: Outcome;
  try {
    const ready = await renderOperation(operation.payload, context.scope, context.images);
    if (ready === undefined) return undefined;
    rendered = partsOf(ready);
    const uploads = ready.failures && new FailedUploads(ready.failures.map(({ path }) => path));
    outcome = success(
      await executeRendered(uploads ? { ...context, uploads } : context, operation.intent, ready),
    );
    if (uploads !== undefined) rendered = { "": leaveOut(ready.payload, uploads.kept) };
  } catch (error) {
    context.unit.rollback(mark);
    outcome = failure(error, context.logger, operation);
  }
  return { ...base, ...outcome, rendered, startedAt: context.now, durationMs: performance.now() - started };
}

/** Where an image could not be fetched, something is left out of the payload, which no part of it can say. */
function partsOf({ payload, texts, failures }: RenderedOperation): RenderedParts | null {
  return failures === undefined ? (texts ?? null) : { "": payload };
}

type Outcome = Pick<
  LogEntry,
  "status" | "statusCode" | "errorName" | "action" | "message" | "output" | "errors"
>;

/** Executes a payload, and registers what its templates uploaded. */
async function executeRendered(
  context: OperationContext,
  intent: Intent,
  rendered: RenderedOperation,
): Promise<CommandResult> {
  const { uploaded, failures } = rendered;
  if (uploaded === undefined && failures === undefined) return execute(context, intent, rendered);
  try {
    let result = await execute(context, intent, rendered);
    if (uploaded !== undefined) result = await registerUploaded(context, context.images, uploaded, result);
    return failures === undefined ? result : withoutImages(result, failures, context.uploads?.kept);
  } catch (error) {
    throw failures === undefined ? error : blameImages(error, failures);
  }
}

async function execute<I extends Intent>(
  context: OperationContext,
  intent: I,
  { payload, texts }: RenderedOperation,
): Promise<CommandResult> {
  const parsed = parsePayload(intent, payload, texts);
  if ("errors" in parsed) throw invalidPayload(parsed.errors);
  return await commandOf(intent).execute(context, parsed.payload);
}

function success({ action, output, partial }: CommandResult): Outcome {
  const done = { action, output };
  if (partial === undefined)
    return { ...done, status: "success", statusCode: 200, errorName: null, message: null, errors: null };
  const { name, message, errors } = partial;
  return { ...done, status: "partial", statusCode: 206, errorName: name, message, errors };
}

function failure(error: unknown, logger: Logger, operation: PreparedOperation): Outcome {
  if (error instanceof Rejection) return failed(error.name, error.message, error.errors);
  if (error instanceof TemplateError) return templateFailure(error, operation);
  if (sqlStateOf(error) !== undefined) throw error;
  const reference = randomUUID();
  logger.error(
    { err: error, reference, operation: operation.index, intent: operation.intent },
    "operation defect",
  );
  return failed("InternalError", `A defect of the service; its log has it under the reference ${reference}`);
}

/** The message says where the template stands: a file may hold thousands that are alike. */
function templateFailure(
  { code: name, message, path }: TemplateError,
  { index }: PreparedOperation,
): Outcome {
  const placed = `${message} (operations[${index}], ${toPointer(path)})`;
  return failed(name, placed, [{ code: codeOf(name), message, path }]);
}

/** The outcome of an operation that failed; without details, the message is the one there is. */
export function failed(errorName: ErrorName, message: string, details: readonly Problem[] = []): Outcome {
  const errors = details.length > 0 ? details : [{ code: codeOf(errorName), message, path: [] }];
  const { statusCode } = errorNames[errorName];
  return { status: "failure", statusCode, errorName, action: null, message, output: null, errors };
}
