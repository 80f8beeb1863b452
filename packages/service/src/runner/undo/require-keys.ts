import { mostNames, quoted } from "@lading/schema";
import { reject } from "../../errors.ts";
import {
  type ForeignKey,
  type FormerTargets,
  namersOf,
  stillNamed,
} from "../../storage/queries/foreign-keys.ts";
import type { KeyPart } from "../../storage/unit-of-work/collection.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { nounOf, type RestoredRow, type Row, rowName, valuesIn } from "./restored-row.ts";

/**
 * Rejects with `ConflictError` restored rows that break a foreign key: where rows are written into an overlay, which
 * has none, it does what the database does for others.
 */
export async function requireKeys(
  unit: UnitOfWork,
  foreignKeys: readonly ForeignKey[],
  rows: readonly RestoredRow[],
): Promise<void> {
  for (const row of rows)
    for (const key of foreignKeys) if (key.table === row.collection) await requireTarget(unit, key, row);
  const found = await stillNamed(unit, formerTargets(foreignKeys, rows));
  if (found === undefined) return;
  const { table, target } = found.key;
  const which = namedRows(await namersOf(unit, found.key, found.values, mostNames + 1));
  reject(
    "ConflictError",
    `Rows of ${nounOf(table)} still name the row ${found.values.join(", ")} of ${nounOf(target)}: ${which}`,
  );
}

/** `"Espresso" (6561f0c2a1b2c3d4e5f60718), "Mocha" (6561f0c2a1b2c3d4e5f60719) and others` */
function namedRows(rows: readonly { name: string | null; key: readonly KeyPart[] }[]): string {
  const listed = rows
    .slice(0, mostNames)
    .map(({ name, key }) => (name === null ? key.join(", ") : `${quoted(name)} (${key.join(", ")})`));
  return listed.join(", ") + (rows.length > mostNames ? " and others" : "");
}

/** Rejects a row that names a row which is not there. A key that has a null names none. */
async function requireTarget(
  unit: UnitOfWork,
  { columns, target, targetColumns }: ForeignKey,
  row: RestoredRow,
): Promise<void> {
  const { current, restored } = row;
  if (restored === undefined || columns.every((name) => restored[name] === current?.[name])) return;
  const values = valuesIn(restored, columns);
  if (values === undefined) return;
  const key = target.key.map((name) => values[targetColumns.indexOf(name)]);
  const named = await unit.get<Row>(target, ...key);
  if (named !== undefined && targetColumns.every((name, i) => named[name] === values[i])) return;
  reject(
    "ConflictError",
    `${rowName(row.collection, row.key)} names the row ${values.join(", ")} of ${nounOf(target)}, which is gone`,
  );
}

/** The values of rows that others may name, and that no row has any more. */
const formerTargets = (foreignKeys: readonly ForeignKey[], rows: readonly RestoredRow[]): FormerTargets[] =>
  foreignKeys.flatMap((key) => {
    const values = rows.flatMap((row) => formerTarget(key, row));
    return values.length > 0 ? [{ key, values }] : [];
  });

function formerTarget(
  { target, targetColumns }: ForeignKey,
  { collection, current, restored }: RestoredRow,
): KeyPart[][] {
  if (collection !== target || current === undefined) return [];
  if (restored && targetColumns.every((name) => restored[name] === current[name])) return [];
  const values = valuesIn(current, targetColumns);
  return values === undefined ? [] : [values];
}
