import type { Intent, ItemVersion } from "@lading/schema";

/** One operation of a dump, before texts with braces are escaped. */
export interface Operation {
  readonly intent: Intent;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The version of an item that it writes for a publication, or that it publishes. */
  readonly version?: ItemVersion | undefined;
}

export const operation = (intent: Intent, fields: Operation["fields"], version?: ItemVersion): Operation => ({
  intent,
  fields,
  version,
});

/**
 * Leaves out a resource identifier that is null: no operation takes one away. All other fields of a dump are written
 * whether they are empty or not, so that they empty what is stored.
 */
export const identified = <Fields extends { resourceIdentifier: string | null }>({
  resourceIdentifier,
  ...fields
}: Fields): Omit<Fields, "resourceIdentifier"> & { resourceIdentifier?: string } =>
  resourceIdentifier === null ? fields : { ...fields, resourceIdentifier };
