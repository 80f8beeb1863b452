import { fileLimits } from "@lading/schema";
import { CellError } from "../issues.ts";
import { ListEntry } from "../row.ts";

/**
 * Makes the reader of a column's lists: the entries of a text, or of a list of NDJSON, without white space around them.
 * Empty ones are left out.
 *
 * @param entryOf the text of an entry of NDJSON
 */
export function listReader(
  separator: string,
  entryOf: (entry: unknown) => string,
): (cell: unknown) => string[] | string {
  return (cell) => {
    if (cell instanceof ListEntry) return cell.text;
    const entries = Array.isArray(cell)
      ? cell.map(entryOf)
      : entryOf(cell).split(separator, fileLimits.values + 1);
    if (entries.length > fileLimits.values)
      throw new CellError(
        "TooLarge",
        `has more than ${fileLimits.values} entries, the limit of an operation`,
      );
    return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
  };
}
