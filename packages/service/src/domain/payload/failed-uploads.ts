import { type JsonPath, toPointer } from "@lading/schema";

/**
 * The paths in a payload where uploads failed. The runner leaves out what they were for. A command that would replace
 * stored data with the rest keeps that data, and reports it here. Paths are those of the original payload.
 */
export class FailedUploads {
  /** Pointers to everything that contains a failed upload, so that look-ups take constant time. */
  readonly #fieldPaths: ReadonlySet<string>;
  readonly #kept: JsonPath[] = [];

  constructor(fieldPaths: readonly JsonPath[]) {
    this.#fieldPaths = new Set(
      fieldPaths.flatMap((fieldPath) => fieldPath.map((_, i) => toPointer(fieldPath.slice(0, i + 1)))),
    );
  }

  /** True when an upload failed at a path of the payload, or below it. */
  within(fieldPath: JsonPath): boolean {
    return this.#fieldPaths.has(toPointer(fieldPath));
  }

  /** Reports that the stored value was kept, despite the payload's value at a path. */
  keep(fieldPath: JsonPath): void {
    this.#kept.push(fieldPath);
  }

  /** The paths whose stored values were kept. */
  get kept(): readonly JsonPath[] {
    return this.#kept;
  }
}

/**
 * Omits lists and objects with failed uploads from an update's payload, so that the stored ones are kept. If nothing is
 * stored, the payload's value is taken without the upload.
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
    const fieldPath = [...path, name];
    if (!uploads.within(fieldPath) || isEmpty(storedValues.get(name))) continue;
    delete rest[name];
    uploads.keep(fieldPath);
  }
  return rest;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);
