import { didYouMean, oneOf, quoted, valueRules } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import type { Cell, CellType } from "./cell.ts";

const operators = ["!=", "<=", ">=", "=", "<", ">"] as const;
export type Operator = (typeof operators)[number];

/** One condition of `where`. */
export interface Condition {
  readonly name: string;
  readonly operator: Operator;
  readonly value: string;
}

/** Maximum number of conditions. */
export const mostConditions = 20;

/** A name, an operator and a value; names and values with spaces are in quotation marks. */
const pattern =
  /\s*(?:"([^"]*)"|([^\s"=!<>]+))\s*(!=|<=|>=|=|<|>)\s*(?:"([^"]*)"|([^\s"]+))\s*(?:$|\sand(?=\s)|and(?=\s))/iy;

/** Reads conditions joined by ` and `. */
export function parseWhere(text: string): Condition[] {
  const conditions: Condition[] = [];
  pattern.lastIndex = 0;
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    const match = pattern.exec(text);
    if (match === null)
      reject(
        "ValidationError",
        `where: cannot read ${quoted(text.slice(at))} at character ${at + 1}; write a name, ${oneOf(operators)}, and a value, such as name = Tea*, and join conditions with " and "; names and values with spaces are in quotation marks`,
      );
    const [, quotedName, plainName, operator, quotedValue, plainValue] = match;
    conditions.push({
      name: quotedName ?? plainName ?? "",
      operator: operators.find((known) => known === operator)!,
      value: quotedValue ?? plainValue ?? "",
    });
    if (conditions.length > mostConditions)
      reject("ValidationError", `where: more than ${mostConditions} conditions`);
  }
  if (/\band\s*$/i.test(text) && !/=\s*and\s*$/i.test(text))
    reject("ValidationError", 'where: a condition is missing after the last "and"');
  return conditions;
}

/** The type of what a condition compares: also times, and lists that have the value or not. */
type ComparedType = CellType | "time" | "texts";

/** A value that conditions compare. */
export interface Compared<Row> {
  readonly name: string;
  readonly type: ComparedType;
  readonly value: (row: Row) => Cell;
}

/** Makes the test of a condition. Refuses names that the kind lacks, and values that are none of the type. */
export function testOf<Row>(
  { name, operator, value }: Condition,
  known: readonly Compared<Row>[],
  others: readonly string[],
): (row: Row) => boolean {
  const column = known.find((each) => each.name === name);
  if (column === undefined) return refuseUnknown(name, [...others, ...known.map((each) => each.name)]);
  const accepts = tests[column.type](name, operator, value);
  return (row) => accepts(column.value(row) ?? null);
}

function refuseUnknown(name: string, known: readonly string[]): never {
  const near = didYouMean(name, known, 1);
  return refuse(name, near ?? `the conditions here are of ${oneOf(known)}`, "is not known");
}

export const refuse = (name: string, why: string, what = "cannot be used"): never =>
  reject("ValidationError", `where: ${quoted(name)} ${what}; ${why}`);

/** A day as in UTC, or a time with its zone: nothing depends on the service's own zone. NaN for all else. */
const timeIn = (text: string): number =>
  /^\d{4}-\d{2}-\d{2}(?:T.*(?:Z|[+-]\d{2}:\d{2}))?$/i.test(text) && !valueRules.dateTime.objection(text)
    ? Date.parse(text)
    : Number.NaN;

type Accepts = (cell: Exclude<Cell, undefined>) => boolean;
type MakeTest = (name: string, operator: Operator, value: string) => Accepts;

const ordered = <Value extends number | string>(operator: Operator, value: Value) => {
  const compare: Record<Operator, (cell: Value) => boolean> = {
    "=": (cell) => cell === value,
    "!=": (cell) => cell !== value,
    "<": (cell) => cell < value,
    "<=": (cell) => cell <= value,
    ">": (cell) => cell > value,
    ">=": (cell) => cell >= value,
  };
  return compare[operator];
};

const equality = (name: string, operator: Operator): boolean =>
  operator === "=" || operator === "!="
    ? operator === "="
    : refuse(name, "it is compared with = or !=", `cannot be compared with ${operator}`);

const tests: Readonly<Record<ComparedType, MakeTest>> = {
  json: (name) => refuse(name, "its cells are JSON", "cannot be compared"),
  text(name, operator, value) {
    const wanted = equality(name, operator);
    const start = value.endsWith("*") ? value.slice(0, -1) : undefined;
    const matches = (cell: string) => (start === undefined ? cell === value : cell.startsWith(start));
    return (cell) => matches(typeof cell === "string" ? cell : "") === wanted;
  },
  texts(name, operator, value) {
    const wanted = equality(name, operator);
    return (cell) => (Array.isArray(cell) && cell.includes(value)) === wanted;
  },
  number(name, operator, value) {
    const number = Number(value);
    if (value.trim() === "" || !Number.isFinite(number))
      refuse(name, "write a number, such as 9.5", `is compared with ${quoted(value)}`);
    const accepts = ordered(operator, number);
    return (cell) => (typeof cell === "number" ? accepts(cell) : operator === "!=");
  },
  boolean(name, operator, value) {
    const wanted = equality(name, operator);
    if (value !== "true" && value !== "false")
      refuse(name, "write true or false", `is compared with ${quoted(value)}`);
    return (cell) => (String(cell ?? false) === value) === wanted;
  },
  time(name, operator, value) {
    const time = timeIn(value);
    if (Number.isNaN(time))
      refuse(
        name,
        "write a date, such as 2026-11-01 or 2026-11-01T12:00:00Z",
        `is compared with ${quoted(value)}`,
      );
    const accepts = ordered(operator, time);
    return (cell) => typeof cell === "string" && accepts(Date.parse(cell));
  },
};
