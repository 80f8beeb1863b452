import { reject } from "../../errors.ts";
import { type ImageFacts, type ImageRow, images } from "../../storage/collections/images.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { isUnknownKey } from "../../uploads/keys.ts";
import type { Command } from "../command.ts";
import { keyLength, limitCheck } from "../payload/limit-check.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { requireLanguage } from "../settings/require.ts";

/** Declares the rows that `registerImage` reads. */
function prefetchImage(key: string, resourceIdentifier: string | undefined, prefetch: Prefetch): void {
  prefetch(images, "key", [key]);
  if (resourceIdentifier) prefetch(images, "resourceIdentifier", [resourceIdentifier]);
}

/**
 * Rejects an identifier that cannot be an image's, and one that another image has with `ResourceIdentifierTakenError`.
 */
async function requireFreeIdentifier(
  unit: UnitOfWork,
  key: string,
  resourceIdentifier: string,
): Promise<void> {
  refuseLong(resourceIdentifier);
  const row = await unit.get(images, key);
  refuseNewKey(resourceIdentifier, "resourceIdentifier", row?.resourceIdentifier);
  // For an image that a plan has not fetched: the same bytes would have the same key.
  if (isUnknownKey(key)) return;
  const [holder] = await unit.find(images, "resourceIdentifier", resourceIdentifier);
  refuseTaken(holder, key, resourceIdentifier);
}

/**
 * Registers a stored image, and sets its resource identifier if it has none; returns what was done. Rejects with
 * `ResourceIdentifierTakenError` when another image has it, and with `ConflictError` when the image has another one.
 */
export async function registerImage(
  { unit, now }: { unit: UnitOfWork; now: string },
  { key, mimeType, width, height, size, sha256 }: ImageFacts,
  resourceIdentifier: string | null | undefined,
): Promise<"created" | "updated" | "unchanged"> {
  const row = await unit.get(images, key);
  if (resourceIdentifier) {
    await requireFreeIdentifier(unit, key, resourceIdentifier);
    const isTaken = async () =>
      (await unit.find(images, "resourceIdentifier", resourceIdentifier)).length > 0;
    if (isUnknownKey(key) && (await isTaken())) return "unchanged";
  }
  if (row === undefined) {
    const identifier = resourceIdentifier ?? null;
    const facts = { key, mimeType, width, height, size, sha256 };
    unit.insert(images, { ...facts, resourceIdentifier: identifier, createdAt: now, updatedAt: now });
    return "created";
  }
  if (row.sha256 === null && sha256 !== null) unit.update(images, { ...row, sha256 });
  if (!resourceIdentifier || row.resourceIdentifier === resourceIdentifier) return "unchanged";
  refuseSecond(row, resourceIdentifier);
  unit.update(images, { ...row, sha256: row.sha256 ?? sha256, resourceIdentifier, updatedAt: now });
  return "updated";
}

function refuseLong(resourceIdentifier: string): void {
  const check = limitCheck();
  check.length(resourceIdentifier, keyLength, ["resourceIdentifier"]);
  check.end();
}

function refuseTaken(holder: ImageRow | undefined, key: string, resourceIdentifier: string): void {
  if (holder === undefined || holder.key === key) return;
  const message = `The image "${holder.key}" has the resource identifier "${resourceIdentifier}" already`;
  reject("ResourceIdentifierTakenError", message, ["resourceIdentifier"]);
}

function refuseSecond(row: ImageRow, resourceIdentifier: string): void {
  if (row.resourceIdentifier === null) return;
  const stored = `The image "${row.key}" has the resource identifier "${row.resourceIdentifier}"`;
  const message = `${stored}, so it cannot have "${resourceIdentifier}"`;
  reject("ConflictError", message, ["resourceIdentifier"]);
}

/**
 * Registers the object at a key of the store as an image. A registered image is unchanged, except that a missing
 * resource identifier is set.
 */
export const registerKey: Command<"image/register"> = {
  keys: ({ key, resourceIdentifier }, prefetch) => prefetchImage(key, resourceIdentifier, prefetch),
  async execute({ unit, tenant, media, now }, { key, language, resourceIdentifier }) {
    if (language !== undefined) requireLanguage(tenant, language);
    // Before reading the file.
    if (resourceIdentifier) await requireFreeIdentifier(unit, key, resourceIdentifier);
    const image = (await unit.get(images, key)) ?? (await media.image(key));
    const action = await registerImage({ unit, now }, image, resourceIdentifier);
    return { action, output: { id: key, key, language: language ?? tenant.settings.languages[0]?.code } };
  },
};
