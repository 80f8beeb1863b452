import { mostNames, quoted } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import {
  type DanglingRows,
  type ForeignKey,
  findDangling,
  type SuspectTargets,
} from "../../storage/queries/foreign-keys.ts";
import type { KeyPart } from "../../storage/unit-of-work/collection.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { nounOf, type RestoredRow, valuesIn } from "./restored-row.ts";

/** Collects rows restored by an operation, for `requireKeys`. */
export function noteRestored(unit: UnitOfWork, rows: readonly RestoredRow[]): void {
  const noted = notedIn(unit).get();
  if (noted === undefined) notedIn(unit).set([...rows]);
  else noted.push(...rows);
}

/**
 * Checks the foreign keys of the rows collected since the last call, in one statement. Rejects with `ConflictError`:
 * its message is better than the database's, and overlays don't check foreign keys.
 */
export async function requireKeys(unit: UnitOfWork, foreignKeys: readonly ForeignKey[]): Promise<void> {
  const rows = notedIn(unit).get() ?? [];
  notedIn(unit).set([]);
  const found = await findDangling(unit, suspectsOf(foreignKeys, rows), mostNames + 1);
  if (found === undefined) return;
  const named = `the row ${found.values.join(", ")} of ${nounOf(found.key.target)}`;
  const namers = `Rows of ${nounOf(found.key.table)}`;
  const which = namesOf(found);
  const isRemoved = rows.some((row) => formerTarget(found.key, row)?.join() === found.values.join());
  const why = isRemoved
    ? `${namers} still refer to ${named}`
    : `${namers} would refer to ${named} again, which no longer exists`;
  reject("ConflictError", `${why}: ${which}`);
}

const notedIn = (unit: UnitOfWork) => unit.memo<RestoredRow[]>("rows that are restored");

/** `"Espresso" (6561f0c2a1b2c3d4e5f60718), "Mocha" (6561f0c2a1b2c3d4e5f60719) and others` */
function namesOf({ rows, values }: DanglingRows): string {
  const listed = rows.slice(0, mostNames).map(({ name, key }) => {
    const own = key.filter((part) => !values.includes(part)).join(", ");
    return name === null ? own : `${quoted(name)} (${own})`;
  });
  return listed.join(", ") + (rows.length > mostNames ? " and others" : "");
}

/** Referenced values that no longer have a row, and values that rows reference again. */
const suspectsOf = (foreignKeys: readonly ForeignKey[], rows: readonly RestoredRow[]): SuspectTargets[] =>
  foreignKeys.flatMap((key) => {
    const values = rows.flatMap((row) =>
      [formerTarget(key, row), newTarget(key, row)].filter((target) => target !== undefined),
    );
    return values.length > 0 ? [{ key, values }] : [];
  });

function formerTarget(
  { target, targetColumns }: ForeignKey,
  { collection, current, restored }: RestoredRow,
): KeyPart[] | undefined {
  return collection === target ? valuesThatGo(targetColumns, current, restored) : undefined;
}

function newTarget(
  { table, columns }: ForeignKey,
  { collection, current, restored }: RestoredRow,
): KeyPart[] | undefined {
  return collection === table ? valuesThatGo(columns, restored, current) : undefined;
}

/** The values that one state of a row has and the other doesn't; none if one of them is null. */
const valuesThatGo = (
  columns: readonly string[],
  one: RestoredRow["current"],
  other: RestoredRow["current"],
): KeyPart[] | undefined =>
  one === undefined || (other !== undefined && columns.every((name) => one[name] === other[name]))
    ? undefined
    : valuesIn(one, columns);
