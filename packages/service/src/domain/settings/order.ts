import { reject } from "../../errors.ts";
import { type SettingRow, settings } from "../../storage/collections/settings.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

/** The position of an entry in its list, as a request or an operation gives it. */
export interface GivenSlot {
  /** True makes it the first of its list, the default. */
  readonly isDefault?: boolean | null | undefined;
  /** Its position from 0; one beyond the end is the last. */
  readonly position?: number | null | undefined;
}

/** The requested position; undefined if none. Rejects two different ones with `ValidationError`. */
export function slotIn({ isDefault, position }: GivenSlot): number | undefined {
  if (isDefault && position)
    reject("ValidationError", `isDefault makes it the first, but position is ${position}`, ["position"]);
  if (typeof position === "number" && position < 0)
    reject("ValidationError", `position is ${position}; positions begin at 0`, ["position"]);
  return isDefault ? 0 : (position ?? undefined);
}

/**
 * The `position` value of a row for an index among the others, which are in order. If two neighbours leave no number
 * between them, moves those after the index.
 */
export function positionAt(
  unit: UnitOfWork,
  others: readonly SettingRow[],
  slot: number,
  now: string,
): number {
  const behind = others.slice(slot);
  const [next] = behind;
  if (next === undefined) return (others.at(-1)?.position ?? -1) + 1;
  if (slot === 0) return next.position - 1;
  const position = others[slot - 1]!.position + 1;
  let taken = position;
  for (const row of behind) {
    if (row.position > taken) break;
    taken++;
    unit.update(settings, { ...row, position: taken, updatedAt: now });
  }
  return position;
}

interface Move {
  readonly rows: readonly SettingRow[];
  readonly row: SettingRow;
  readonly slot: number;
}

/** As `positionAt`, for an existing row, which keeps its value if it is already at the index. */
export function movedTo(unit: UnitOfWork, { rows, row, slot }: Move, now: string): number {
  const others = rows.filter((other) => other !== row);
  if (Math.min(slot, others.length) === rows.indexOf(row)) return row.position;
  return positionAt(unit, others, slot, now);
}
