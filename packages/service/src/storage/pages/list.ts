import { Rejection } from "../../errors.ts";
import type { Parameter, Queries } from "../database.ts";
import { type Page, type PageRequest, pageLimit } from "./page.ts";

/** A list of one tenant's rows in a stable order, read in pages that begin after the previous one (keyset). */
export interface List<Row> {
  /** `SELECT … FROM … t`, without conditions. `$1` is the tenant. */
  select: string;
  /** As `select`, of the same rows: what is counted for `totalCount`, if that takes less. */
  counted?: string;
  /** Joined with AND; their parameters begin at `$2`. */
  conditions: readonly string[];
  parameters: readonly Parameter[];
  /** Columns that order the list and together are unique; text, of the table `t`. */
  order: readonly string[];
  keyOf: (row: Row) => readonly string[];
  descending?: boolean;
}

/** Reads one page. Rejects with `ValidationError` when `after` or `before` is not one of its cursors. */
export async function listRows<Row>(
  queries: Queries,
  tenantId: string,
  list: List<Row>,
  { first, after, before, fromEnd = false }: PageRequest,
): Promise<Page<Row>> {
  const counted: Parameter[] = [tenantId, ...list.parameters];
  const where = ["t.tenant_id = $1", ...list.conditions].join(" AND ");
  const parameters = [...counted];
  const beyond = (cursor: string | null | undefined, name: string, comparison: "<" | ">") => {
    if (!cursor) return "";
    const position = readCursor(cursor, list.order.length, name);
    const positions = position.map((part) => `$${parameters.push(part)}`);
    return ` AND (${list.order.join(", ")}) ${comparison} (${positions.join(", ")})`;
  };
  const [behind, ahead] = list.descending ? (["<", ">"] as const) : ([">", "<"] as const);
  const bounds = beyond(after, "after", behind) + beyond(before, "before", ahead);
  const direction = Boolean(list.descending) !== fromEnd ? " DESC" : "";
  const order = list.order.map((column) => `${column}${direction}`).join(", ");
  const withNext = await queries.query<Row>(
    `${list.select} WHERE ${where}${bounds} ORDER BY ${order} LIMIT ${pageLimit(first)}`,
    parameters,
  );
  const hasMore = withNext.length > first;
  const inQueryOrder = withNext.slice(0, first);
  const rows = fromEnd ? inQueryOrder.toReversed() : inQueryOrder;
  return {
    nodes: rows,
    cursors: rows.map((row) => writeCursor(list.keyOf(row))),
    hasNextPage: fromEnd ? Boolean(before) && rows.length > 0 : hasMore,
    hasPreviousPage: fromEnd ? hasMore : Boolean(after) && rows.length > 0,
    totalCount: async () => {
      const [row] = await queries.query<{ count: number }>(
        `SELECT count(*) FROM (${list.counted ?? list.select} WHERE ${where}) AS counted`,
        counted,
      );
      return row?.count ?? 0;
    },
  };
}

/**
 * A condition that a list of pairs, which a GIN index has, contains those of a parameter. No index finds the tenant
 * here: the planner would take it for a small one, and read all of it to narrow down what the pairs have found.
 */
export const hasPairs = (table: string, key: string, column: string) =>
  `t.${key} IN (SELECT p.${key} FROM ${table} p
    WHERE p.tenant_id || '' = $1 AND p.${column} <> '[]' AND p.${column} @> ?::jsonb OFFSET 0)`;

/** The opaque form of a row's key. */
export const writeCursor = (key: readonly string[]) => Buffer.from(JSON.stringify(key)).toString("base64url");

/** Reads the key in a cursor. Rejects a cursor of another list with `ValidationError`; `name` is its argument. */
export function readCursor(cursor: string, length: number, name = "after"): string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (
      Array.isArray(key) &&
      key.length === length &&
      key.every((part) => typeof part === "string" && !part.includes("\0") && part.isWellFormed())
    )
      return key;
  } catch {
    // Not a cursor of ours: rejected below.
  }
  const advice =
    name === "after" ? "take the endCursor of the previous page" : "take the startCursor of the next page";
  const message = `"${cursor}" is not a cursor of this list; ${advice}`;
  throw new Rejection("ValidationError", message, [{ code: "InvalidValue", message, path: [name] }]);
}

/**
 * The conditions that have a value, with `?` replaced by their parameter's number, from `$first` on. Null and absent
 * filters are left out.
 */
export function conditionList(
  filters: readonly (readonly [condition: string, value: Parameter | undefined])[],
  first = 2,
): { conditions: string[]; parameters: Parameter[] } {
  const conditions: string[] = [];
  const parameters: Parameter[] = [];
  for (const [condition, value] of filters) {
    if (value === undefined || value === null) continue;
    conditions.push(condition.replace("?", `$${first + parameters.length}`));
    parameters.push(value);
  }
  return { conditions, parameters };
}
