import { createHash } from "node:crypto";
import { codeOf, type Problem, reject, rejectAll } from "../../errors.ts";
import type { FirstRequest } from "../../storage/bulk-tasks/find.ts";
import { type ObjectStore, ObjectStoreError, type StoredObject } from "../../uploads/object-store.ts";
import type { NewTask } from "../new-task.ts";
import { digestOfPictures } from "../pictures.ts";

const name = "IdempotencyKeyExistsError";

/**
 * Rejects with `IdempotencyKeyExistsError` a request that differs from the first one with its idempotency key; names
 * the difference. Another upload of the same bytes counts as the same file. A planner's key is that of its token.
 */
export async function requireSameRequest(
  store: ObjectStore,
  first: FirstRequest,
  input: NewTask,
  uploaded: (key: string) => Promise<StoredObject>,
): Promise<void> {
  if (first.plannerId !== (input.plannerId ?? null))
    reject(
      name,
      `idempotencyKey "${input.idempotencyKey}" was used with another access token: use another idempotencyKey`,
      ["idempotencyKey"],
    );
  const errors: Problem[] = [];
  const note = (field: keyof NewTask, difference: string) => {
    const message =
      `The task ${first.id} was created under idempotencyKey "${input.idempotencyKey}" with ${field === "pictures" ? "other" : "another"} ${field}: ` +
      `${difference}. Repeat the first request, or use another idempotencyKey`;
    errors.push({ code: codeOf(name), message, path: [field] });
  };
  const compare = (field: keyof NewTask, before: unknown, now: unknown) => {
    if (before !== now) note(field, `${before ?? "none"}, not ${now ?? "none"}`);
  };
  if (input.kind === "plan" && first.ofTask !== null)
    note("kind", `it is the plan of an undo of bulk task ${first.ofTask}`);
  else compare("plan", first.ofTask, input.plan ?? null);
  compare("maxFailures", first.maxFailures, input.maxFailures ?? null);
  compare("holdAfter", first.holdAfter, input.holdAfter ?? null);
  compare("holdOnFailures", first.holdOnFailures, input.holdOnFailures ?? null);
  compare("strict", first.strict, input.strict ?? false);
  compare("appliedAs", first.appliedAs, input.appliedAs ?? null);
  compare("onFailure", first.onFailure, input.onFailure ?? null);
  compare("startAt", first.startAt, input.startAt ?? null);
  compare("autoStart", first.autoStart, input.autoStart ?? false);
  // A run that follows a plan has the plan's.
  if (first.ofTask === null && first.picturesSha256 !== digestOfPictures(input.pictures))
    note("pictures", "the paths or the keys differ");
  // URLs may contain a secret.
  if (first.webhookUrl !== (input.webhookUrl ?? null)) note("webhookUrl", "the URLs differ");
  const { key, plan } = input;
  const isSame =
    typeof key === "string"
      ? await isSameFile(store, first, key, () => uploaded(key))
      : typeof plan === "string";
  if (!isSame) note("key", `the file under "${first.key}" is not the one under "${key ?? ""}"`);
  if (errors.length > 0) rejectAll(name, errors);
}

async function isSameFile(
  store: ObjectStore,
  first: FirstRequest,
  key: string,
  uploaded: () => Promise<StoredObject>,
): Promise<boolean> {
  const kept = key === first.key ? await store.stat(key) : undefined;
  // The file of an ended task may be gone.
  if (key === first.key && (kept === undefined || kept.etag === first.etag)) return true;
  const file = await uploaded();
  const firstFile = first.sha256 === null ? await store.stat(first.key) : undefined;
  if (firstFile !== undefined && firstFile.bytes !== file.bytes) return false;
  const digest = first.sha256 ?? (await digestOf(store, first.key, first.etag));
  return digest !== undefined && digest === (await digestOf(store, key, file.etag));
}

/** The SHA-256 of this version of an object, in hexadecimal; undefined if that version is gone. */
export async function digestOf(
  store: ObjectStore,
  key: string,
  etag: string | undefined,
): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of store.read(key, { etag })) hash.update(chunk);
  } catch (error) {
    if (error instanceof ObjectStoreError) return undefined;
    throw error;
  }
  return hash.digest("hex");
}
