import type { Action } from "@lading/schema/internal";
import { isObject } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { images as imageRows } from "../../storage/collections/images.ts";
import type { LogEntry, StoredLog } from "../../storage/task-details/operation-logs.ts";
import { type BeforeImage, keepBefore } from "../../storage/unit-of-work/before-images.ts";
import type { Batch } from "../execute/batch.ts";
import { failureOf, type Outcome, succeeded } from "../execute/run-operation.ts";
import type { OperationFacts } from "../execute/work.ts";
import { lostParts } from "./lost-parts.ts";
import { noteRestored } from "./require-keys.ts";
import { isOfDeletion, restoreRows } from "./restore-rows.ts";
import { requireRules } from "./rules/require-rules.ts";
import type { UndoOperation } from "./undo-source.ts";

/** Undoes one operation and returns its log entry; `skipped` if it wrote nothing. */
export async function undoOperation(
  batch: Batch,
  operation: UndoOperation,
  noteRemovedImages: boolean,
): Promise<LogEntry | "skipped"> {
  const { entry, index } = operation;
  if (entry === undefined) return "skipped";
  const { execution, unit } = batch;
  // No other lock protects decisions that depend on rows of other writers: see ADR 49.
  unit.requireLock("exclusive");
  const began = performance.now();
  const startedAt = new Date().toISOString();
  const mark = unit.mark();
  let outcome: Outcome;
  try {
    outcome = await undo(batch, operation, entry);
  } catch (error) {
    unit.rollback(mark);
    outcome = failureOf(error, execution.services.logger, { index, intent: entry.intent });
  }
  const durationMs = Math.round((performance.now() - began) * 1_000) / 1_000;
  const images = unit.before(mark, startedAt);
  const before = {
    ...(execution.task.keepsBefore && keepBefore(index, images)),
    ...(noteRemovedImages && removedImages(images)),
  };
  return { ...factsOfUndo(operation), ...outcome, rendered: null, startedAt, durationMs, ...before };
}

/** The keys of images whose rows were removed: no command removes them. */
function removedImages(rows: readonly BeforeImage[]): Pick<LogEntry, "imageKeys"> {
  const removed = rows.filter((row) => row.table === imageRows.table && isOfDeletion(imageRows, row));
  return removed.length > 0 ? { imageKeys: removed.map(({ key }) => String(key[0])) } : {};
}

/** The parts of an undo's log entry that are known in advance. */
export const factsOfUndo = ({ index, entry, undoes }: UndoOperation): OperationFacts => ({
  ...{ index, ref: entry?.ref ?? null, intent: entry?.intent ?? "" },
  ...{ input: "null", position: null, undoes },
});

async function undo({ unit, tenant }: Batch, { images }: UndoOperation, entry: StoredLog): Promise<Outcome> {
  if (entry.beforeTooLarge)
    reject(
      "BulkTaskCannotBeUndoneError",
      "This operation cannot be undone: its rows were too many or too large to keep before-images",
    );
  const rows = await restoreRows(unit, images, entry.startedAt);
  await requireRules({ unit, tenant, since: entry.startedAt }, rows);
  noteRestored(unit, rows);
  const output = { ...identityIn(entry.output), ...(await lostParts(unit, rows)) };
  return { ...succeeded, action: inverseOf(entry.action), output };
}

const inverseOf = (action: Action | null): Action =>
  action === "created" ? "deleted" : action === "deleted" ? "created" : "updated";

const identifying = ["id", "identifier", "sku", "code", "key", "resourceIdentifier", "language"] as const;

/** The properties of an output that identify the entity. */
function identityIn(output: unknown): object {
  if (!isObject(output)) return {};
  const values: Record<string, unknown> = output;
  const named = identifying.filter((name) => values[name] !== undefined);
  return Object.fromEntries(named.map((name) => [name, values[name]]));
}
