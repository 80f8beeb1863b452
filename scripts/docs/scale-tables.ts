import { bytesText, needLines, numberText } from "../scale/describe.ts";
import type { ScaleFigures } from "../scale/figures.ts";
import { needsOf, oneDatabase } from "../scale/needs.ts";
import { readOptions } from "../scale/options.ts";

/** The loads of the page's table, as options of `npm run scale`. */
const examples: readonly [heading: string, options: string][] = [
  ["10 shops", "--tenants 10 --operations 10000"],
  ["1,000 shops", "--tenants 1000 --operations 10000"],
  ["10,000 shops", "--tenants 10000 --operations 10000"],
  ["100 large ones", "--tenants 100 --operations 1000000 --products 500000 --requests 100000"],
];

/** The tables of docs/scale.md, by the name of their marker. */
export function scaleTables(figures: ScaleFigures): Record<string, () => string> {
  return {
    "costs of operations": () => `${operationTable(figures)}${measured(figures)}`,
    "costs of requests": () => requestTable(figures),
    "what loads need": () => needTable(figures),
    "where one database ends": () => limitTable(figures),
  };
}

const table = (headings: readonly string[], rows: readonly (readonly string[])[]) =>
  [headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");

const measured = ({ date, node, machine }: ScaleFigures) =>
  `\nMeasured ${date.slice(0, 10)}, Node ${node.slice(1)}, ${machine}.\n`;

function operationTable({ operations }: ScaleFigures): string {
  const rows = Object.entries(operations).map(([name, cost]) => [
    name,
    ...[
      cost.serviceCpuUs,
      cost.databaseCpuUs,
      cost.walBytes,
      cost.logBytes,
      cost.dataBytes,
      cost.fileBytes,
    ].map(numberText),
  ]);
  const costs = [
    "Service, µs",
    "Database, µs",
    "Write-ahead log, B",
    "Operation log, B",
    "Other tables, B",
    "File, B",
  ];
  return table(["One operation", ...costs], rows);
}

function requestTable({ requests }: ScaleFigures): string {
  const rows = Object.entries(requests).map(([name, { rate, serviceCpuUs, databaseCpuUs, walBytes }]) => [
    name,
    ...[rate, serviceCpuUs, databaseCpuUs, walBytes].map(numberText),
  ]);
  const costs = ["A second, one process", "Service, µs", "Database, µs", "Write-ahead log, B"];
  return table(["One request", ...costs], rows);
}

function needTable(figures: ScaleFigures): string {
  const needs = examples.map(([, text]) => {
    const options = readOptions(text.split(" "));
    if (options.help) throw new Error("an example of the page has no load");
    return needsOf(options.load, figures);
  });
  const rows = needLines.map(([what, text]) => [what, ...needs.map(text)]);
  return table(["Need", ...examples.map(([heading]) => heading)], rows);
}

/** The cost of an operation, times the rate at which one database ends. */
function limitTable({ operations: { mixed, create } }: ScaleFigures): string {
  const { operationsASecond: rate, bytes } = oneDatabase;
  const aDay = rate * 86_400;
  const row = (what: string, cost: string, result: string) => [what, cost, result];
  return table(
    [`At ${numberText(rate)} operations a second`, "One costs", "That is"],
    [
      row(
        "CPU of the database",
        `${mixed.databaseCpuUs} µs`,
        `${numberText((rate * mixed.databaseCpuUs) / 1e6)} cores, without headroom`,
      ),
      row(
        "write-ahead log",
        `${mixed.walBytes} B`,
        `${bytesText(rate * mixed.walBytes)} a second, ${bytesText(aDay * mixed.walBytes)} a day`,
      ),
      row(
        "operation log",
        `${mixed.logBytes} B`,
        `${bytesText(aDay * mixed.logBytes)} a day: ${bytesText(bytes)} in ${numberText(bytes / (aDay * mixed.logBytes))} days`,
      ),
      row(
        "products, beside the log",
        `${create.dataBytes} B each`,
        `${bytesText(bytes)} are ${numberText(bytes / create.dataBytes / 1e6)} million products`,
      ),
    ],
  );
}
