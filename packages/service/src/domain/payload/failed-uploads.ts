import { type JsonPath, toPointer } from "@lading/schema";

/**
 * The places of a payload where uploads failed. The runner leaves out of the payload what they were for. A command
 * that would replace stored data with the rest keeps that data, and reports it here. Places are those of the payload
 * as written.
 */
export class FailedUploads {
  /** Pointers to all that an upload failed in, so that a look-up costs the same however many failed. */
  readonly #places: ReadonlySet<string>;
  readonly #kept: JsonPath[] = [];

  constructor(places: readonly JsonPath[]) {
    this.#places = new Set(places.flatMap((place) => place.map((_, i) => toPointer(place.slice(0, i + 1)))));
  }

  /** True when an upload failed at a place of the payload, or anywhere within it. */
  within(place: JsonPath): boolean {
    return this.#places.has(toPointer(place));
  }

  /** Reports that the stored value was kept, despite what the payload has at a place. */
  keep(place: JsonPath): void {
    this.#kept.push(place);
  }

  /** The places whose stored values were kept. */
  get kept(): readonly JsonPath[] {
    return this.#kept;
  }
}

/**
 * Leaves lists and objects in which an upload failed out of the payload of an update, so that the stored ones are kept.
 * Where nothing is stored, the payload's value is taken without the upload.
 */
export function keepingStored<Input extends object>(
  input: Input,
  stored: object,
  uploads: FailedUploads | undefined,
  path: JsonPath,
): Input | Partial<Input> {
  if (uploads === undefined) return input;
  const rest: Partial<Input> = { ...input };
  const storedValues = new Map<string, unknown>(Object.entries(stored));
  for (const name in input) {
    const place = [...path, name];
    if (!uploads.within(place) || isEmpty(storedValues.get(name))) continue;
    delete rest[name];
    uploads.keep(place);
  }
  return rest;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);
