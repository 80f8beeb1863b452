import { reject } from "../../errors.ts";

interface NamedRow {
  readonly id: string;
  readonly resourceIdentifier: string | null;
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
