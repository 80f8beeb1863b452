import { Rejection } from "../../errors.ts";
import type { Parameter, Queries } from "../database.ts";
import { type Page, type PageRequest, page } from "../page.ts";

/** A list of one tenant's rows in a stable order, read page by page from where the last page ended (keyset). */
export interface List {
  /** `SELECT … FROM … t`, up to where the conditions begin. `$1` is the tenant. */
  select: string;
  /** Joined with AND; their parameters begin at `$2`. */
  conditions: readonly string[];
  parameters: readonly Parameter[];
  /** Columns that order the list and together are unique; text, of the table `t`. */
  order: readonly string[];
  /** The values of these columns in a row. */
  keyOf: (row: never) => readonly string[];
  descending?: boolean;
}

/** Reads one page. Rejects with `ValidationError` when `after` is not one of its cursors. */
export async function listRows<Row>(
  queries: Queries,
  tenantId: string,
  list: List,
  { first, after }: PageRequest,
): Promise<Page<Row>> {
  const position = after ? readCursor(after, list.order.length) : undefined;
  const parameters: Parameter[] = [tenantId, ...list.parameters];
  const where = ["t.tenant_id = $1", ...list.conditions].join(" AND ");
  const [comparison, direction] = list.descending ? ["<", " DESC"] : [">", ""];
  const places = list.order.map((_, index) => `$${parameters.length + index + 1}`);
  const beyond = position ? ` AND (${list.order.join(", ")}) ${comparison} (${places.join(", ")})` : "";
  const order = list.order.map((column) => `${column}${direction}`).join(", ");
  const rows = await queries.query<Row>(
    `${list.select} WHERE ${where}${beyond} ORDER BY ${order} LIMIT ${first + 1}`,
    [...parameters, ...(position ?? [])],
  );
  return page(rows, first, {
    cursor: (row) => writeCursor(list.keyOf(row as never)),
    node: (row) => row,
    totalCount: async () => {
      const counted = `SELECT count(*) FROM (${list.select} WHERE ${where}) AS counted`;
      const [row] = await queries.query<{ count: number }>(counted, parameters);
      return row?.count ?? 0;
    },
  });
}

const writeCursor = (key: readonly string[]) => Buffer.from(JSON.stringify(key)).toString("base64url");

function readCursor(cursor: string, length: number): string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (
      Array.isArray(key) &&
      key.length === length &&
      key.every((part) => typeof part === "string" && !part.includes("\0"))
    )
      return key;
  } catch {
    // not one of ours: refused below
  }
  const message = `"${cursor}" is no cursor of this list; take the endCursor of the page before`;
  throw new Rejection("ValidationError", message, [{ code: "InvalidValue", message, path: ["after"] }]);
}
