import { originOf, requireOneOrigin, rounded } from "../../bench/results.ts";
import { lessThanFull, type SuiteRow, suiteNames } from "../../test/suites/record.ts";
import { table } from "./markdown.ts";

const command = "npm run suites -- --save";

/** The tables of docs/suites.md, by the name of their marker. @throws Error for rows of several commits */
export function suiteTables(rows: readonly SuiteRow[]): Record<string, () => string> {
  requireOneOrigin(rows, "test/suites/record.json", command);
  const tables = suiteNames.map((name) => [
    `results of ${name}`,
    () => suiteTable(rows.filter(({ program }) => program === name)),
  ]);
  return { verdict: () => verdict(rows), ...Object.fromEntries(tables) };
}

function verdict(rows: readonly SuiteRow[]): string {
  const [first] = rows;
  const missing = suiteNames.filter((name) => rows.every(({ program }) => program !== name));
  if (first === undefined) return `Not run at this commit: run \`${command}\`.\n`;
  const days = [...new Set(rows.map(({ date }) => date.slice(0, 10)))].sort();
  const wrong = rows.filter((row) => row.wrong.length > 0).length;
  const minutes = Math.round(rows.reduce((sum, row) => sum + row.minutes, 0));
  const less = lessThanFull(rows);
  const attacks = attacksOf(rows);
  const beyond = attacks.filter(isBeyond).length;
  return [
    `Version ${first.version}, ${days.join(" and ")}, ${originOf(first)}: ${minutes} minutes. `,
    wrong === 0 ? "Nothing was wrong." : `Wrong in ${wrong} of ${rows.length} rows.`,
    beyond === 0 ? "" : ` ${beyond} of ${attacks.length} attacks have a figure beyond its limit.`,
    missing.length === 0 ? "" : ` Not run: ${missing.join(", ")}.`,
    less.length === 0 ? "" : ` Less than a release needs: ${less.join("; ")}.`,
    "\n",
  ].join("");
}

const beyondLimit = "Beyond its limit";

/** The measured rows of the hostile suite, but those in which nothing is sent. */
const attacksOf = (rows: readonly SuiteRow[]) =>
  rows.filter(({ run, figures }) => beyondLimit in figures && run !== "none");

const isBeyond = ({ figures }: SuiteRow) => figures[beyondLimit] !== "none";

/** The table of docs/security.md: the greatest of each figure on each database, and the attack that brought it. */
export function worstAttacks(rows: readonly SuiteRow[]): string {
  const attacks = attacksOf(rows);
  const [first] = attacks;
  if (first === undefined) return "Not run at this commit.\n";
  const headings = Object.keys(first.figures).filter((heading) => typeof first.figures[heading] === "number");
  const cells = [...Map.groupBy(attacks, ({ figures }) => figures.Database)].map(([database, of]) => [
    ...[cellOf(database), cellOf(of.length), cellOf(of.filter(isBeyond).length)],
    ...headings.map((heading) => {
      const figureOf = ({ figures }: SuiteRow) => Number(figures[heading]);
      const worst = of.reduce((most, row) => (figureOf(row) > figureOf(most) ? row : most));
      return `${cellOf(figureOf(worst))}, ${worst.run}`;
    }),
  ]);
  return table(["Database", "Attacks", "Beyond a limit", ...headings], cells);
}

function suiteTable(rows: readonly SuiteRow[]): string {
  const [first] = rows;
  if (first === undefined) return "Not run at this commit.\n";
  const headings = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const cells = rows.map(({ run, figures, minutes, wrong }) => [
    ...[run, ...headings.map((heading) => cellOf(figures[heading])), cellOf(minutes)],
    wrong.length === 0 ? "nothing" : wrong.map(cellOf).join("; "),
  ]);
  const sizes = Object.entries({ ...first.sizes, seed: first.seed }).map(
    ([name, value]) => `--${name} ${value}`,
  );
  const line = `\`npm run suites -- --only ${first.program} ${sizes.join(" ")}\`\n`;
  return `${line}\n${table(["", ...headings, "Minutes", "Wrong"], cells)}`;
}

/** A text of an answer may have what a cell must not. */
function cellOf(value: number | string | undefined): string {
  if (value === undefined) return "–";
  return typeof value === "number"
    ? rounded(value).toLocaleString("en")
    : value.replace(/\s+/g, " ").replaceAll("|", "\\|");
}
