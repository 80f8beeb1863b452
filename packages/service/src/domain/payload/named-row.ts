import { quoted } from "@lading/schema/internal";
import { reject } from "../../errors.ts";

interface NamedRow {
  readonly id: string;
  readonly resourceIdentifier: string | null;
}

/**
 * A row in a message: `"Oak chair" (6561f0c2a1b2c3d4e5f60718)`, by its name, else by a reference to it, else by its id
 * alone. The name is one that the command reads anyway: a message does not depend on what else is in memory.
 */
export function named(row: NamedRow & { externalReference?: string | null }, name?: string): string {
  const known = name ?? row.resourceIdentifier ?? row.externalReference;
  return known ? `${quoted(known)} (${row.id})` : row.id;
}

/** Rejects a resource identifier that differs from that of the row with the id (`ConflictError`). */
export function refuseOtherIdentifier(
  row: NamedRow,
  resourceIdentifier: string | undefined,
  { what, idField }: { what: string; idField: string },
): void {
  if (!resourceIdentifier || row.resourceIdentifier === resourceIdentifier) return;
  const actual = row.resourceIdentifier === null ? "none" : `"${row.resourceIdentifier}"`;
  reject(
    "ConflictError",
    `${idField} and resourceIdentifier mean different ${what}: the resource identifier of ${row.id} is ${actual}, ` +
      `not "${resourceIdentifier}"; give one of them`,
    ["resourceIdentifier"],
  );
}
