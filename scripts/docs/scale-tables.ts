import type { Row } from "../../bench/results.ts";
import {
  bytesText,
  type Costs,
  needLines,
  needsOf,
  numberText,
  oneDatabase,
  readCosts,
} from "../scale/needs.ts";
import { readOptions } from "../scale.ts";
import { figuresTable, measuredLine, notMeasured } from "./benchmark-tables.ts";
import { table } from "./markdown.ts";

/** The loads of the page's table, as options of `npm run scale`. */
const examples: readonly [heading: string, options: string][] = [
  ["10 shops", "--tenants 10 --operations 10000"],
  ["1,000 shops", "--tenants 1000 --operations 10000"],
  ["10,000 shops", "--tenants 10000 --operations 10000"],
  ["100 large ones", "--tenants 100 --operations 1000000 --products 500000 --requests 100000"],
];

export function scaleTables(results: readonly Row[]): Record<string, () => string> {
  const rows = results.filter(({ program }) => program === "scale");
  const costs = (of: string) => () =>
    figuresTable(
      rows.filter(({ workload }) => workload === `cost of ${of}`),
      ({ run }) => run,
    );
  const fromCosts = (table: (costs: Costs) => string) => () =>
    rows.length === 0 ? notMeasured : table(readCosts(rows));
  return {
    measured: () => measuredLine(rows),
    "costs of operations": costs("an operation"),
    "costs of requests": costs("a request"),
    "what loads need": fromCosts(needTable),
    "where one database ends": fromCosts(limitTable),
  };
}

function needTable(costs: Costs): string {
  const needs = examples.map(([, text]) => {
    const options = readOptions(text.split(" "));
    if (options.help) throw new Error("an example of the page has no load");
    return needsOf(options.load, costs);
  });
  const rows = needLines.map(([what, text]) => [what, ...needs.map(text)]);
  return table(["Need", ...examples.map(([heading]) => heading)], rows);
}

/** The cost of an operation, times the rate at which one database is saturated. */
function limitTable({ operations: { mixed } }: Costs): string {
  const { operationsASecond: rate, bytes } = oneDatabase;
  const aDay = rate * 86_400;
  const row = (what: string, cost: string, result: string) => [what, cost, result];
  const growth = (what: string, cost: number) => {
    const days = numberText(bytes / (aDay * cost));
    return row(what, `${cost} B`, `${bytesText(aDay * cost)} per day: ${bytesText(bytes)} in ${days} days`);
  };
  return table(
    [`At ${numberText(rate)} operations per second`, "One costs", "That is"],
    [
      row(
        "CPU of the database",
        `${mixed.databaseCpuUs} µs`,
        `${numberText((rate * mixed.databaseCpuUs) / 1e6)} cores, without headroom`,
      ),
      row(
        "write-ahead log",
        `${mixed.walBytes} B`,
        `${bytesText(rate * mixed.walBytes)} per second, ${bytesText(aDay * mixed.walBytes)} per day`,
      ),
      growth("operation log", mixed.logBytes),
      growth("other tables", mixed.dataBytes),
    ],
  );
}
