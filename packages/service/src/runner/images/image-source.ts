import { misuseOf } from "@lading/schema/internal";
import { type ImageRow, images } from "../../storage/collections/images.ts";
import { type Loaded, withLoaded } from "../../storage/unit-of-work/loaded.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { TemplateError } from "../../templates/scope.ts";

/** An image that a template uploads: its URL, or a picture's path; and its expected SHA-256 if the template has one. */
export interface ImageSource {
  readonly url: string;
  readonly sha256: string | null;
}

/** The parameters of the template helper `upload`. Throws a `TemplateError` for others. */
export function uploadedBy(
  parameters: readonly unknown[],
  named: Readonly<Record<string, unknown>>,
): { source: ImageSource; resourceIdentifier: string | null } {
  const misuse = misuseOf({ name: "upload", arguments: parameters, named });
  if (misuse !== undefined) throw new TemplateError(`"upload" ${misuse}.`);
  const [url, resourceIdentifier = null] = parameters;
  const { sha256 = null } = named;
  if (typeof url !== "string" || !isTextOrNull(resourceIdentifier) || !isTextOrNull(sha256))
    throw new TemplateError(
      `"upload" takes the URL or the path of an image and, optionally, a resource identifier, both as texts.`,
    );
  return {
    source: { url, sha256: sha256?.toLowerCase() ?? null },
    resourceIdentifier: resourceIdentifier || null,
  };
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/**
 * Finds an image of the tenant with a source's digest: preferably one whose key, without the tenant, ends the URL or
 * the path, as dumps write them; else the first.
 */
export function registeredImage(
  unit: UnitOfWork,
  { url, sha256 }: ImageSource,
): Loaded<ImageRow | undefined> {
  if (sha256 === null) return undefined;
  return withLoaded(unit.find(images, "sha256", sha256), (rows) => {
    const [first] = rows.toSorted((one, other) => (one.key < other.key ? -1 : 1));
    return rows.find(({ key }) => url.endsWith(key.replace(/^.*\/media(?=\/)/, ""))) ?? first;
  });
}
