import type { Row } from "../../bench/program/rows.ts";
import { budgetOf, engineNames, type Repeated, repeated, spread } from "./benchmark-tables.ts";

/** Where the chart of docs/benchmarks.md is kept. */
export const chartFile = new URL("../../docs/benchmarks.svg", import.meta.url);

const title = "Throughput as a share of the floor; the red line is the budget";
const [width, left, right, rowHeight, top] = [760, 240, 60, 28, 44];
const colors: Readonly<Record<Row["engine"], string>> = {
  postgresql: "#336791",
  native: "#5b8c5a",
  pglite: "#c98500",
};

/**
 * The share of the floor that each run reached, as an SVG: a bar for the median, a line over it from the least to the
 * greatest, and a red one for the budget.
 */
export function benchmarkChart(rows: readonly Row[]): string {
  const runs = repeated(rows).filter(({ rows }) => spread(rows.map(({ ratio }) => ratio)) !== undefined);
  const bottom = top + runs.length * rowHeight;
  const limit = Math.max(1, ...runs.flatMap(({ rows }) => rows.map(({ ratio }) => ratio ?? 0)));
  const x = (share: number) => Math.round(left + (share / limit) * (width - left - right));
  const marks = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((share) => [
    line([x(share), top - 8], [x(share), bottom], "#ddd"),
    label([x(share), bottom + 18], String(share), "middle"),
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom + 30}" ` +
      'font-family="sans-serif" font-size="13">',
    `<title>${title}</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    label([12, 22], title, "start"),
    ...marks,
    ...runs.flatMap((run, i) => bar(run, top + i * rowHeight, x)),
    "</svg>\n",
  ].join("\n");
}

function bar(run: Repeated, y: number, x: (share: number) => number): string[] {
  const { median, least, greatest } = spread(run.rows.map(({ ratio }) => ratio))!;
  const budget = budgetOf(run);
  const middle = y + rowHeight / 2;
  const name = run.workload === run.run ? run.run : `${run.workload}, ${run.run}`;
  return [
    label([left - 8, middle + 4], `${engineNames[run.engine]}: ${name}`, "end"),
    `<rect x="${left}" y="${y + 4}" width="${x(median) - left}" height="${rowHeight - 8}" ` +
      `fill="${colors[run.engine]}"/>`,
    line([x(least), middle], [x(greatest), middle], "#000"),
    label([width - right + 12, middle + 4], median.toFixed(2), "start"),
    ...(budget === undefined ? [] : [line([x(budget), y + 2], [x(budget), y + rowHeight - 2], "#d00", 3)]),
  ];
}

type Point = readonly [x: number, y: number];

const line = ([x1, y1]: Point, [x2, y2]: Point, color: string, thickness = 1) =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${color}" stroke-width="${thickness}"/>`;
const label = ([x, y]: Point, words: string, anchor: string) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
