import { type JsonPath, toPointer } from "@lading/schema";

/**
 * Where uploads of a payload failed. What they were for is left out of the payload, and a command that would replace
 * something stored by the rest keeps it instead, and notes that here. Places are those of the payload as written.
 */
export class FailedUploads {
  /** Pointers to all that an upload failed in, so that a look-up costs the same however many failed. */
  readonly #places: ReadonlySet<string>;
  readonly #kept: JsonPath[] = [];

  constructor(places: readonly JsonPath[]) {
    this.#places = new Set(places.flatMap((place) => place.map((_, i) => toPointer(place.slice(0, i + 1)))));
  }

  /** Whether an upload failed at a place of the payload, or anywhere within it. */
  within(place: JsonPath): boolean {
    return this.#places.has(toPointer(place));
  }

  /** Notes that what is stored stays, in spite of what the payload has at a place. */
  keep(place: JsonPath): void {
    this.#kept.push(place);
  }

  /** The places whose stored values were kept. */
  get kept(): readonly JsonPath[] {
    return this.#kept;
  }
}

/**
 * The payload of an update without the lists and objects in which an upload failed: absent, they stay as they are stored.
 * One of which nothing is stored is taken without the upload.
 */
export function keepingStored<Input extends object>(
  input: Input,
  stored: object,
  uploads: FailedUploads | undefined,
  path: JsonPath,
): Input | Partial<Input> {
  if (uploads === undefined) return input;
  const rest: Partial<Input> = { ...input };
  const known = new Map<string, unknown>(Object.entries(stored));
  for (const name in input) {
    const place = [...path, name];
    if (!uploads.within(place) || isEmpty(known.get(name))) continue;
    delete rest[name];
    uploads.keep(place);
  }
  return rest;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);
