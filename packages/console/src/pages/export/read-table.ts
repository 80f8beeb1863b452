import { Refused, success } from "../../api/errors.ts";
import { request, send } from "../../api/request.ts";
import { bytesText } from "../../ui/format.ts";
import { limitDocument } from "../run/documents.ts";
import { BlobWriter } from "../run/worker/blob-writer.ts";
import { chunksOf } from "../run/worker/unpack.ts";
import type { Change } from "./change.ts";
import { type Exported, exportAddress } from "./exported.ts";

/** The parts of an exported table's map that a bulk edit knows. */
interface SheetMap {
  columns: Readonly<Record<string, { type: string; empty?: string }>>;
  operations: readonly { intent: string; $edited?: unknown }[];
}

/** An exported table, its map, and the maximum size of a file. */
export interface SourceTable {
  table: Blob;
  map: SheetMap;
  maxBytes: number;
}

/**
 * Reads a table as NDJSON, with a map that publishes what can be.
 *
 * @throws Refused for a table that is larger than a file can be
 */
export async function readTable(
  tenant: string,
  exported: Exported,
  signal: AbortSignal,
): Promise<SourceTable> {
  const ask = (form: Record<string, string>) => send(exportAddress(tenant, exported, form), { signal });
  const { uploadMaxBytes: maxBytes } = success((await request(tenant, limitDocument, {}, signal)).tenant);
  const map: SheetMap = await (await ask({ format: "map" })).json();
  const content = new BlobWriter(maxBytes);
  const { body } = await ask({ format: "ndjson" });
  for await (const chunk of body === null ? [] : chunksOf(body, signal)) {
    if (content.bytes + chunk.length > maxBytes)
      throw new Refused(
        "TooManyRows",
        `These rows have more than ${bytesText(maxBytes)}, this tenant’s limit of a file. Edit them in parts: narrow them by conditions or a folder.`,
      );
    content.add(chunk);
  }
  return { map, maxBytes, table: content.end() };
}

export interface ColumnFacts {
  type: string;
  /** True if its cells can be emptied. */
  clears: boolean;
  /** The decimal places that numbers are rounded to at first. */
  decimals: string;
}

export const columnFacts = ({ columns, operations }: SheetMap, column: string): ColumnFacts => ({
  type: columns[column]?.type ?? "text",
  clears: columns[column]?.empty === "null",
  decimals: operations.some(
    ({ intent, $edited }) => intent === "product/variant/stock/modify" && $edited === column,
  )
    ? "0"
    : "2",
});

/** The text of the map for a change, which publishes what it edits, does not, or only publishes. */
export function mapFor({ operations, ...map }: SheetMap, change: Change, publishes: boolean): string {
  const isPublishing = ({ intent }: SheetMap["operations"][number]) => intent === "item/publish";
  const kept =
    change.do === "publish"
      ? operations.filter(isPublishing).map(({ $edited: _edited, ...operation }) => operation)
      : operations.filter((operation) => publishes || !isPublishing(operation));
  return JSON.stringify({ ...map, operations: kept });
}
