import {
  type CellSettings,
  type Conditions,
  comparisons,
  describe,
  type JsonPath,
  quoted,
} from "@lading/schema/internal";
import { dateReader } from "../cells/date.ts";
import { CellError } from "../issues.ts";
import type { Row } from "../row.ts";
import type { Column } from "./columns.ts";
import type { Compilation } from "./scope.ts";

/** Tests a row. Throws a CellError where a cell is not of the column's type. */
type Test = (row: Row) => boolean;

type Operand = number | string;

const isMet: Readonly<Record<(typeof comparisons)[number], (value: Operand, operand: Operand) => boolean>> = {
  above: (value, operand) => value > operand,
  atLeast: (value, operand) => value >= operand,
  below: (value, operand) => value < operand,
  atMost: (value, operand) => value <= operand,
};

/** Compiles conditions, all of which must be met. Texts are compared as they are written, or looked up. */
export function compileConditions(conditions: Conditions, path: JsonPath, compilation: Compilation): Test {
  const tests = Object.entries(conditions).flatMap(([name, condition]): Test[] => {
    const at = [...path, name];
    const column = compilation.columns.get(name, at);
    if (typeof condition === "string" || Array.isArray(condition)) return [textTest(column, condition, true)];
    const { not, ...compared } = condition;
    const settings = column.settingsAt(compilation.depths.get(column.slot) ?? 0);
    const more = comparisons.flatMap((comparison): Test[] => {
      const written = compared[comparison];
      if (written === undefined) return [];
      const operand = operandOf(written, settings);
      if (typeof operand === "object") {
        const message = `"${comparison}" ${operand.objection}`;
        compilation.problems.push({ code: "InvalidValue", message, path: [...at, comparison] });
        return [];
      }
      return [comparisonTest(column, isMet[comparison], operand)];
    });
    return not === undefined ? more : [textTest(column, not, false), ...more];
  });
  return (row) => {
    for (const test of tests) if (!test(row)) return false;
    return true;
  };
}

function textTest(column: Column, condition: string | readonly string[], wanted: boolean): Test {
  const texts = new Set([condition].flat());
  return (row) => texts.has(column.written(row)) === wanted;
}

/** A cell that is empty, or of another type by its column's `values`, is not met. */
const comparisonTest =
  (column: Column, isMet: (value: Operand, operand: Operand) => boolean, operand: Operand): Test =>
  (row) => {
    const value = column.read(row);
    return typeof value === typeof operand && isMet(value as Operand, operand);
  };

/** The value to compare with, as the column's cells are read, or what is wrong with it. */
function operandOf(written: Operand, settings: CellSettings | undefined): Operand | { objection: string } {
  if (settings?.type === "number")
    return typeof written === "number"
      ? written
      : { objection: `expects a number, got ${describe(written)}` };
  if (settings?.type !== "date")
    return { objection: 'compares numbers and dates; give the column the type "number" or "date"' };
  if (typeof written === "number") return { objection: `expects a date as text, got ${describe(written)}` };
  try {
    return dateReader({ zone: settings.zone })(written);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return { objection: `expects a date such as 2026-01-31, got ${quoted(written)}` };
  }
}
