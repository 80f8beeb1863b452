import { type Context, count, counted, json, line, plain, type Sink, table } from "../../context.ts";
import { type Omission, omissionText } from "../../service/dump-lines.ts";
import type { Changes, Count } from "./changes.ts";

/** Two tenants that were compared, and the file of the operations. */
export interface Compared {
  readonly from: string;
  readonly to: string;
  readonly changes: Changes;
  /** Things that the dump of the second tenant leaves out. */
  readonly omissions: readonly Omission[];
  /** Operations of the file. */
  readonly operations: number;
  readonly file: string | undefined;
}

/** Prints what differs: by kind and change, with the first names of each. */
export function printSummary(
  context: Context,
  sink: Sink,
  compared: Compared,
  flags: { json?: boolean },
): void {
  const { from, to, changes, omissions, operations, file } = compared;
  const { counts, remainders } = changes;
  if (flags.json) {
    json(sink, { from, to, operations, file: file ?? null, changes: counts, remainders, omissions });
    return;
  }
  if (counts.length > 0 && !context.quiet)
    table(
      sink,
      counts.map((each) => rowOf(each, from)),
      [2],
    );
  for (const { what, count: number, names } of remainders)
    line(sink, `${count(number)} that no operation takes away: ${plain(what)} (${namesOf(names, number)})`);
  for (const omission of omissions) line(sink, omissionText(`not compared in ${to}`, omission));
  const where = file === undefined ? "" : `${file}: `;
  line(sink, `${where}${counted(operations, "operation")} to make ${from} like ${to}`);
}

function rowOf({ noun, change, count: number, names }: Count, from: string): string[] {
  const kept: Readonly<Record<string, string>> = {
    left: "kept",
    released: "kept without a SKU or resource identifier that another one gets",
  };
  const did = kept[change] === undefined ? change : `only in ${from}, ${kept[change]}`;
  return [noun, did, count(number), namesOf(names, number)];
}

const namesOf = (names: readonly string[], number: number) =>
  `${names.map(plain).join(", ")}${number > names.length ? ", …" : ""}`;
