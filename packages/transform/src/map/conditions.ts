import type { Conditions, JsonPath } from "@lading/schema";
import { cellText, type Row, type UsedColumns } from "../row.ts";

/** Compiles conditions to a test of rows: the cell of each column is compared as it is written. */
export function compileConditions(
  conditions: Conditions,
  path: JsonPath,
  columns: UsedColumns,
): (row: Row) => boolean {
  const tests = Object.entries(conditions).map(([name, condition]) => {
    const isNegated = typeof condition === "object" && !Array.isArray(condition);
    const texts = new Set([isNegated ? condition.not : condition].flat());
    return { slot: columns.slotOf(name, [...path, name]), texts, wanted: !isNegated };
  });
  return ({ cells }) => tests.every(({ slot, texts, wanted }) => texts.has(cellText(cells[slot])) === wanted);
}
