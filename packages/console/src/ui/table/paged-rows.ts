import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Rows } from "./rows.ts";

/** A page of a connection. */
export interface RowPage<Row> {
  rows: Row[];
  endCursor: string | null;
  hasNextPage: boolean;
}

interface Paging {
  /** Names the list and its filters: with another key the list begins anew. */
  queryKey: readonly unknown[];
  pageSize: number;
  /** Time between two looks at the pages that are seen, in milliseconds; false: none. */
  refetchInterval?: number | false;
}

interface CursorPaging<Row> extends Paging {
  /** Loads the page after a cursor; the first one is after `""`. */
  fetchPage(after: string, signal: AbortSignal): Promise<RowPage<Row>>;
}

interface NumberedPaging<Row> extends Paging {
  count: number;
  /** Loads rows by their places: from `first` to before `end`. */
  fetchRange(first: number, end: number, signal: AbortSignal): Promise<Row[]>;
}

/** Time for which pages that are not seen stay in memory, in milliseconds. */
const kept = 15_000;

/**
 * The rows of a connection, page by page as they are scrolled to. Cursors of pages that were passed are remembered,
 * their rows are not: a list of a million entries takes a few megabytes.
 */
export function useCursorRows<Row>({
  queryKey,
  pageSize,
  fetchPage,
  refetchInterval = false,
}: CursorPaging<Row>): Rows<Row> {
  const key = JSON.stringify(queryKey);
  const [known, setKnown] = useState<{ key: string; cursors: readonly string[]; last: number }>(() =>
    begin(key),
  );
  const { cursors, last } = known.key === key ? known : begin(key);
  const { pages, onSeen } = useSeenPages(key, pageSize, cursors.length);
  const queries = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...queryKey, cursors[page]],
      queryFn: async ({ signal }: { signal: AbortSignal }) => ({
        ...(await fetchPage(cursors[page] ?? "", signal)),
        page,
      }),
      gcTime: kept,
      refetchInterval,
    })),
  });
  const loaded = queries.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const next = loaded.reduce(follow, { key, cursors, last });
  useEffect(() => {
    if (next.cursors !== known.cursors || next.last !== known.last || known.key !== key) setKnown(next);
  });
  const rowsOf = useLatestRows(key, loaded);
  const failed = queries.find(({ error }) => error !== null);
  return {
    count: rowCount(next, pageSize),
    at: (place) => rowsOf(Math.floor(place / pageSize))?.[place % pageSize],
    onSeen,
    error: failed?.error ?? null,
    isLoading: loaded.length === 0 && failed === undefined && next.last === 0,
    refetch: () => queries.forEach((query) => void query.refetch()),
  };
}

interface Known {
  key: string;
  /** The cursor before each page that is known to exist. */
  cursors: readonly string[];
  /** The rows of the last page among them. */
  last: number;
}

const begin = (key: string): Known => ({ key, cursors: [""], last: 0 });

/** Adds to a list's cursors the one that a loaded page ends with, or notes that it is the last page. */
function follow<Row>(
  known: Known,
  { page, rows, endCursor, hasNextPage }: RowPage<Row> & { page: number },
): Known {
  const { key, cursors } = known;
  if (!hasNextPage || endCursor === null)
    return page === cursors.length - 1 && rows.length === known.last
      ? known
      : {
          key,
          cursors: cursors.length === page + 1 ? cursors : cursors.slice(0, page + 1),
          last: rows.length,
        };
  if (cursors[page + 1] === endCursor) return known;
  return { key, cursors: [...cursors.slice(0, page + 1), endCursor], last: 0 };
}

/** Rows of whole pages and of the last one; while that is not loaded, it is taken for a row that comes. */
const rowCount = ({ cursors, last }: Known, pageSize: number) =>
  (cursors.length - 1) * pageSize + (cursors.length > 1 ? Math.max(1, last) : last);

/** The rows of a list whose length is known, read by their places: any of a million are one request away. */
export function useNumberedRows<Row>({
  queryKey,
  pageSize,
  count,
  fetchRange,
  refetchInterval = false,
}: NumberedPaging<Row>): Rows<Row> {
  const key = JSON.stringify(queryKey);
  const { pages, onSeen } = useSeenPages(key, pageSize, Math.ceil(count / pageSize));
  const queries = useQueries({
    queries: pages.map((page) => {
      const end = Math.min(count, (page + 1) * pageSize);
      return {
        // A page that grows is another one each time; what it had is shown meanwhile.
        queryKey: [...queryKey, page, end],
        queryFn: async ({ signal }: { signal: AbortSignal }) => ({
          page,
          rows: await fetchRange(page * pageSize, end, signal),
        }),
        gcTime: kept,
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval,
      };
    }),
  });
  const rowsOf = useLatestRows(
    key,
    queries.flatMap(({ data }) => (data === undefined ? [] : [data])),
  );
  const failed = queries.find(({ error }) => error !== null);
  return {
    count,
    at: (place) => rowsOf(Math.floor(place / pageSize))?.[place % pageSize],
    onSeen,
    error: failed?.error ?? null,
    isLoading: false,
    refetch: () => queries.forEach((query) => void query.refetch()),
  };
}

/** The pages that are seen of a list; the first one, until any was scrolled to. */
function useSeenPages(key: string, pageSize: number, pageCount: number) {
  const [seen, setSeen] = useState({ key, first: 0, end: 1 });
  const onSeen = useCallback(
    (first: number, end: number) => {
      const next = {
        key,
        first: Math.floor(first / pageSize),
        end: Math.max(1, Math.ceil(end / pageSize)),
      };
      setSeen((now) => (now.key === key && now.first === next.first && now.end === next.end ? now : next));
    },
    [key, pageSize],
  );
  const { first, end } = seen.key === key ? seen : { first: 0, end: 1 };
  const pages: number[] = [];
  for (let page = first; page < Math.min(end, pageCount); page++) pages.push(page);
  return { pages, onSeen };
}

/** Remembers the rows of the pages that are seen, so that they stay while they are loaded again. */
function useLatestRows<Row>(key: string, loaded: readonly { page: number; rows: Row[] }[]) {
  const latest = useRef({ key, rows: new Map<number, Row[]>() });
  if (latest.current.key !== key) latest.current = { key, rows: new Map() };
  const { rows } = latest.current;
  for (const page of loaded) {
    rows.delete(page.page);
    rows.set(page.page, page.rows);
  }
  for (const page of rows.keys()) {
    if (rows.size <= 6) break;
    rows.delete(page);
  }
  return (page: number) => rows.get(page);
}
