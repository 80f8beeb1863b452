import type { Intent, ItemVersion } from "@lading/schema/internal";

/** One operation of a dump, before braces in texts are escaped. */
export interface Operation {
  readonly intent: Intent;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The version of an item that it writes for a publication, or publishes. */
  readonly version?: ItemVersion | undefined;
}

export const operation = (intent: Intent, fields: Operation["fields"], version?: ItemVersion): Operation => ({
  intent,
  fields,
  version,
});

/**
 * Omits a null resource identifier, because no operation can remove one. All other fields are written even if empty, so
 * that they clear stored values.
 */
export const identified = <Fields extends { resourceIdentifier: string | null }>({
  resourceIdentifier,
  ...fields
}: Fields): Omit<Fields, "resourceIdentifier"> & { resourceIdentifier?: string } =>
  resourceIdentifier === null ? fields : { ...fields, resourceIdentifier };
