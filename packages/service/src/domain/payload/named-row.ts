import { reject } from "../../errors.ts";

interface NamedRow {
  readonly id: string;
  readonly resourceIdentifier: string | null;
}

/** Rejects with `ConflictError` a resource identifier beside an id that is not that of the row with the id. */
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
