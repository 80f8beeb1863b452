import type { BulkTaskKind } from "@lading/schema/internal";
import { codeOf, type Problem, rejectAll } from "../errors.ts";
import { type FirstRequest, findFirstRequest } from "../storage/bulk-tasks/find.ts";
import type { Queries } from "../storage/database.ts";
import type { TaskOptions } from "./new-task.ts";

/** A request for a task based on another: a retry or an undo. */
export interface FollowUp extends TaskOptions {
  /** The task it is based on. */
  readonly id: string;
}

/** A field of this kind of request, with its values in the first request and in this one. */
type Compared = readonly [field: string, before: unknown, now: unknown];

/**
 * Returns the id of the task already created by the same request, or undefined. Rejects with
 * `IdempotencyKeyExistsError` a request that differs from the first one of its kind with its idempotency key; names the
 * difference.
 */
export async function createdBefore(
  queries: Queries,
  tenantId: string,
  kind: BulkTaskKind,
  request: FollowUp,
  more: (first: FirstRequest) => readonly Compared[] = () => [],
): Promise<string | undefined> {
  const { idempotencyKey } = request;
  if (typeof idempotencyKey !== "string") return undefined;
  const first = await findFirstRequest(queries, tenantId, kind, idempotencyKey);
  if (first === undefined) return undefined;
  const compared: Compared[] = [
    ["id", first.ofTask, request.id],
    ...more(first),
    ["maxFailures", first.maxFailures, request.maxFailures ?? null],
    ["holdAfter", first.holdAfter, request.holdAfter ?? null],
    ["holdOnFailures", first.holdOnFailures, request.holdOnFailures ?? null],
    ["autoStart", first.autoStart, request.autoStart ?? false],
  ];
  const errors = compared.flatMap(([field, before, now]): Problem[] => {
    if (before === now) return [];
    const difference = `${before ?? "none"}, not ${now ?? "none"}`;
    const message =
      `The task ${first.id} was created under idempotencyKey "${idempotencyKey}" with another ${field}: ` +
      `${difference}. Repeat the first request, or use another idempotencyKey`;
    return [{ code: codeOf("IdempotencyKeyExistsError"), message, path: [field] }];
  });
  if (errors.length > 0) rejectAll("IdempotencyKeyExistsError", errors);
  return first.id;
}
