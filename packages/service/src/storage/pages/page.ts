import { Rejection } from "../../errors.ts";

/** One page of a list in a stable order. */
export interface Page<Node> {
  nodes: Node[];
  /** Opaque positions, one per node: a page `after` one of them starts after that node. */
  cursors: string[];
  hasNextPage: boolean;
  /** Undefined for a list that is only paged forwards. */
  hasPreviousPage?: boolean;
  /** The position the next page begins at, if not after the last node. */
  endCursor?: string | null;
  /** Counts the whole list; null: unknown. */
  totalCount(): Promise<number | null>;
}

/** Returns the cursor the next page begins at; null for an empty page. */
export const endCursorOf = ({ endCursor, cursors }: Page<unknown>): string | null =>
  endCursor ?? cursors.at(-1) ?? null;

/** A request for `first` nodes after a cursor; no cursor or an empty one means from the start. */
export interface PageRequest {
  first: number;
  after?: string | null;
  /** Only nodes before this cursor. */
  before?: string | null;
  /** True: the last nodes, instead of the first. */
  fromEnd?: boolean;
}

/**
 * The limit of a query for the rows of a page and one more. The planner takes a tenant for a small one, and would sort
 * all that match rather than read a page in order; a limit that it does not know makes it prefer the order.
 */
export const pageLimit = (first: number) => `(SELECT ${first + 1})`;

/** Makes a page of rows read with one more than requested, which shows that there is a next page. */
export function page<Row, Node>(
  rows: readonly Row[],
  first: number,
  options: { cursor(row: Row): string; node(row: Row): Node; totalCount(): Promise<number> },
): Page<Node> {
  const onPage = rows.slice(0, first);
  return {
    nodes: onPage.map(options.node),
    cursors: onPage.map(options.cursor),
    hasNextPage: rows.length > first,
    totalCount: options.totalCount,
  };
}

/** Makes a page of a list in memory; its cursors are positions, from 1. */
export function positionedPage<Node>(list: readonly Node[], { first, after }: PageRequest): Page<Node> {
  const start = Number(after ?? 0);
  const entries = list.map((node, index) => ({ node, index })).slice(start, start + first + 1);
  return page(entries, first, {
    cursor: ({ index }) => String(index + 1),
    node: ({ node }) => node,
    totalCount: async () => list.length,
  });
}

/** Reads the cursor of a list in the order of ids: an id. Rejects anything else with `ValidationError`. */
export function idCursor(after: string | null | undefined): string | null {
  if (!after || /^[0-9a-f]{24}$/.test(after)) return after || null;
  const message = `"${after}" is not a cursor of this list; take the endCursor of the previous page`;
  throw new Rejection("ValidationError", message, [{ code: "InvalidValue", message, path: ["after"] }]);
}
