import { type CellSettings, fileLimits } from "@lading/schema/internal";
import { CellError } from "../issues.ts";
import { type CellReader, isBlank, omitted, replacer, textOf, valueOfEmpty } from "./cell.ts";

const tooMany = () =>
  new CellError("TooLarge", `has more than ${fileLimits.values} entries, the limit of an operation`);

/** Makes the reader of lists: the entries of a text, or of a list of NDJSON. */
export function listReader(
  settings: Extract<CellSettings, { type: "list" }>,
  entry: CellReader,
): CellReader & { split(cell: unknown): unknown[] } {
  const { separator, empty = "omit" } = settings;
  const replaced = replacer(settings.replace);
  const split = (cell: unknown): unknown[] => {
    if (isBlank(cell)) return [];
    const entries = Array.isArray(cell)
      ? cell.map(replaced)
      : textOf(replaced(cell)).split(separator, fileLimits.values + 1);
    if (entries.length > fileLimits.values) throw tooMany();
    return entries.map((entry) => (typeof entry === "string" ? entry.trim() : entry));
  };
  return {
    split(cell) {
      const entries = split(cell).filter((entry) => !isBlank(entry));
      if (entries.length === 0 && empty === "refuse") valueOfEmpty(empty);
      return entries;
    },
    read(cell) {
      let count = 0;
      const list = split(cell).map((cell) => {
        const value = entry.read(cell);
        count += Array.isArray(value) ? value.length : 0;
        if (count > fileLimits.values) throw tooMany();
        return value;
      });
      return list.every((value) => value === omitted) ? valueOfEmpty(empty, []) : list;
    },
  };
}

/** A list without the entries that are absent, which positions in it count. */
export function withoutAbsent(list: readonly unknown[]): unknown[] {
  const kept: unknown[] = [];
  for (const entry of list)
    if (entry !== omitted) kept.push(Array.isArray(entry) ? withoutAbsent(entry) : entry);
  return kept;
}
