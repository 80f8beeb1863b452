import { type CellSettings, changesWhenRead, quoted, readJson } from "@lading/schema/internal";
import { CellError, type DataIssueCode } from "../issues.ts";
import { type CellReader, isBlank, valueOfEmpty } from "./cell.ts";

/** Makes the reader of JSON: the value of a text. Values of NDJSON that are no texts stay as they are. */
export function jsonReader({ empty = "omit" }: Extract<CellSettings, { type: "json" }>): CellReader {
  return {
    read(cell) {
      if (isBlank(cell)) return valueOfEmpty(empty);
      if (typeof cell !== "string") return cell;
      if (cell.trim() === "") return valueOfEmpty(empty);
      const json = readJson(cell);
      if (json.problems !== undefined)
        throw new CellError("InvalidJson", `${quoted(cell)} is not JSON: ${json.problems[0]!.message}`);
      const [objection] = objectionsTo(cell);
      if (objection !== undefined) throw new CellError(objection.code, objection.message);
      return json.value;
    },
  };
}

interface Objection {
  readonly code: DataIssueCode;
  readonly message: string;
  /** The key of the value. */
  readonly key: string;
}

const suspicious = /\\u(?:0000|[dD][89a-fA-F])|(?:[\d.]{16}|\d[eE])/;

/** Finds what JSON loses when it is parsed, and texts that cannot be stored. */
export function objectionsTo(json: string): Objection[] {
  const objections: Objection[] = [];
  if (!suspicious.test(json)) return objections;
  JSON.parse(json, (key: string, value: unknown, context?: { source?: string }) => {
    const object = (code: DataIssueCode, message: string) => objections.push({ code, message, key });
    if (typeof value === "number" && context?.source !== undefined && changesWhenRead(context.source))
      object("ChangedNumber", `${context.source} has more digits than a number keeps; write it as text`);
    if (typeof value !== "string") return value;
    if (value.includes("\0")) object("NulCharacter", "contains U+0000, which cannot be stored");
    if (!value.isWellFormed())
      object("UnpairedSurrogate", "contains half of a surrogate pair, which cannot be stored");
    return value;
  });
  return objections;
}
