import type { Intent } from "@lading/schema";

/** One operation of a dump, before texts with braces are escaped. */
export interface Operation {
  readonly intent: Intent;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const operation = (intent: Intent, fields: Operation["fields"]): Operation => ({ intent, fields });

/** Leaves out fields that are null or empty lists: a new row has these values without them. */
export function filled<Fields extends object>(fields: Fields): Partial<Fields> {
  const some: Partial<Fields> = {};
  for (const field in fields) {
    const value = fields[field];
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    some[field] = value;
  }
  return some;
}
