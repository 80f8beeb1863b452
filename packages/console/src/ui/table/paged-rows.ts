import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";

/** The rows of a table, of which only visible ones are loaded. */
export interface Rows<Row> {
  /** The number of rows known so far. */
  count: number;
  /** The number of all rows; undefined until it is known. */
  total: number | undefined;
  /** A row by its number; undefined while it is loading. */
  at(index: number): Row | undefined;
  /** Called with the visible rows: from `first` to before `end`. */
  onSeen(first: number, end: number): void;
  /** Why rows cannot be loaded. */
  error: unknown;
  /** True until it is known whether there are any. */
  isLoading: boolean;
  /** Refetches the visible rows. */
  refetch(): void;
}

export interface RowPage<Row> {
  rows: Row[];
  endCursor: string | null;
  hasNextPage: boolean;
  totalCount?: number | undefined;
}

interface Connection<Row> {
  totalCount?: number | undefined;
  edges: { node: Row }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export const pageOf = <Row>({ edges, pageInfo, totalCount }: Connection<Row>): RowPage<Row> => ({
  rows: edges.map(({ node }) => node),
  totalCount,
  ...pageInfo,
});

interface Paging {
  /** Identifies the list and its filters: with another key the list starts over. */
  queryKey: readonly unknown[];
  pageSize: number;
  /** Polling interval of the visible pages, in milliseconds; by default that of the key. */
  refetchInterval?: number | false;
}

interface CursorPaging<Row> extends Paging {
  /** Loads the page after a cursor; the first one is after `""`. The rows are counted once if `counts` is heeded. */
  fetchPage(after: string, signal: AbortSignal, counts: boolean): Promise<RowPage<Row>>;
}

interface NumberedPaging<Row> extends Paging {
  count: number;
  /** Loads rows by number: from `first` to before `end`. */
  fetchRange(first: number, end: number, signal: AbortSignal): Promise<Row[]>;
}

const kept = 15_000;

/**
 * A connection's rows, loaded page by page while scrolling. It remembers the cursors of passed pages but not
 * their rows: a list of a million entries takes a few megabytes.
 */
export function useCursorRows<Row>({
  queryKey,
  pageSize,
  fetchPage,
  refetchInterval,
}: CursorPaging<Row>): Rows<Row> {
  const key = JSON.stringify(queryKey);
  const [latest, setKnown] = useState(() => begin(key));
  const known = latest.key === key ? latest : begin(key);
  const { cursors } = known;
  const { pages, onSeen } = useSeenPages(key, pageSize, cursors.length);
  const queries = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...queryKey, cursors[page]],
      queryFn: async ({ signal }: { signal: AbortSignal }) => ({
        ...(await fetchPage(cursors[page] ?? "", signal, page === 0 && known.counted === undefined)),
        page,
      }),
      gcTime: kept,
      ...(refetchInterval !== undefined && { refetchInterval }),
    })),
  });
  const loaded = queries.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const next = loaded.reduce(follow, known);
  useEffect(() => setKnown(next), [next]);
  return {
    count: rowCount(next, pageSize),
    total: next.last === undefined ? next.counted : rowCount(next, pageSize),
    at: useLatestRows(key, pageSize, loaded),
    onSeen,
    ...outcomeOf(queries),
    isLoading:
      queries.every(({ error }) => error === null) && next.last === undefined && next.cursors.length === 1,
  };
}

interface Known {
  key: string;
  /** The cursor before each page known to exist. */
  cursors: readonly string[];
  /** The number of rows of the last page; undefined until it is known which one that is. */
  last: number | undefined;
  /** The number of rows when the first page was read, if the service counts them. */
  counted: number | undefined;
}

const begin = (key: string): Known => ({ key, cursors: [""], last: undefined, counted: undefined });

/** Adds a loaded page's end cursor to its list, or records that the page is the last one. */
function follow<Row>(
  known: Known,
  { page, rows, endCursor, hasNextPage, totalCount }: RowPage<Row> & { page: number },
): Known {
  const { key, cursors } = known;
  const counted = known.counted ?? totalCount;
  if (page >= cursors.length) return known;
  if (!hasNextPage || endCursor === null)
    return page === cursors.length - 1 && rows.length === known.last
      ? known
      : { key, cursors: cursors.slice(0, page + 1), last: rows.length, counted };
  if (cursors[page + 1] === endCursor) return known.counted === counted ? known : { ...known, counted };
  return { key, cursors: [...cursors.slice(0, page + 1), endCursor], last: undefined, counted };
}

/** Rows of whole pages and of the last one; until that is loaded, it counts as one pending row. */
const rowCount = ({ cursors, last = 0 }: Known, pageSize: number) =>
  (cursors.length - 1) * pageSize + (cursors.length > 1 ? Math.max(1, last) : last);

/** The rows of a list of known length, read by number: any of a million is one request away. */
export function useNumberedRows<Row>({
  queryKey,
  pageSize,
  count: latest,
  fetchRange,
  refetchInterval = false,
}: NumberedPaging<Row>): Rows<Row> {
  // Each number of rows is a request for the last page, which the next one aborts.
  const count = useSlowly(latest);
  const key = JSON.stringify(queryKey);
  const { pages, onSeen } = useSeenPages(key, pageSize, Math.ceil(count / pageSize));
  const queries = useQueries({
    queries: pages.map((page) => {
      const end = Math.min(count, (page + 1) * pageSize);
      return {
        // A page that grows has a new key; its previous rows are shown meanwhile.
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
  const loaded = queries.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    count,
    total: count,
    at: useLatestRows(key, pageSize, loaded),
    onSeen,
    ...outcomeOf(queries),
    isLoading: false,
  };
}

/** Why some of the visible pages cannot be loaded, and how to try again. */
const outcomeOf = (queries: readonly { error: unknown; refetch(): unknown }[]) => ({
  error: queries.find(({ error }) => error !== null)?.error ?? null,
  refetch: () => queries.forEach((query) => void query.refetch()),
});

/** Time between changes of a slow value, in milliseconds. */
const slowness = 1_000;

/** The latest value, changing at most once a second. */
function useSlowly<Value>(latest: Value): Value {
  const [value, setValue] = useState(latest);
  const changedAt = useRef(0);
  useEffect(() => {
    const change = () => {
      changedAt.current = Date.now();
      setValue(latest);
    };
    const timer = setTimeout(change, Math.max(0, changedAt.current + slowness - Date.now()));
    return () => clearTimeout(timer);
  }, [latest]);
  return value;
}

/** The visible pages of a list; the first one until something is scrolled to. */
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

/** Remembers the rows of the visible pages, so that they stay while being refetched. */
function useLatestRows<Row>(key: string, pageSize: number, loaded: readonly LoadedPage<Row>[]) {
  const [latest, setLatest] = useState({ key, pages: loaded });
  const known = latest.key === key ? latest.pages : [];
  const isKnown = latest.key === key && loaded.every((page) => known.includes(page));
  const pages = isKnown ? known : remembered(known, loaded);
  if (!isKnown) setLatest({ key, pages });
  return (index: number) =>
    pages.find(({ page }) => page === Math.floor(index / pageSize))?.rows[index % pageSize];
}

interface LoadedPage<Row> {
  page: number;
  rows: Row[];
}

/** The loaded pages, and the latest of the others. */
const remembered = <Row>(known: readonly LoadedPage<Row>[], loaded: readonly LoadedPage<Row>[]) =>
  [...known.filter(({ page }) => loaded.every((each) => each.page !== page)), ...loaded].slice(
    -Math.max(6, loaded.length),
  );
