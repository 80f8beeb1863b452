import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { bytesOfPart, joined, partOf, partsAround } from "./ranges.ts";
import { readPart } from "./read-part.ts";
import type { Loaded } from "./rows.ts";

/** Time for which distant parts stay in memory, in milliseconds. */
const kept = 5_000;

/** The bytes around a position of a task's file. */
interface FileWindow {
  /** The length of the file; undefined until known. */
  size: number | undefined;
  /** Undefined while the part with the position is loading. */
  loaded: Loaded | undefined;
  /** Why there is nothing to show. */
  error: unknown;
  refetch(): void;
}

/** Loads the parts around an offset, and drops distant ones. */
export function useFileWindow(tenant: string, task: string, offset: number): FileWindow {
  const rangeQuery = (range: { start: number; end: number }) => ({
    queryKey: ["file", tenant, task, range],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      readPart(`/@${tenant}/tasks/${task}/file`, range, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: kept,
    placeholderData: undefined,
  });
  // Reading the first byte gives the file's length, and so its parts.
  const first = useQuery(rangeQuery({ start: 0, end: 1 }));
  const size = first.data?.size;
  const wanted = size === undefined ? [] : partsAround(offset, size);
  const queries = useQueries({ queries: wanted.map((part) => rangeQuery(bytesOfPart(part, size))) });
  const middle = partOf(Math.min(offset, Math.max(0, (size ?? 0) - 1)));
  const [before, at, after] = [middle - 1, middle, middle + 1].map(
    (part) => queries[wanted.indexOf(part)]?.data?.bytes,
  );
  const loaded = useMemo(() => {
    if (size === undefined || at === undefined) return undefined;
    const bytes = joined([before, at, after].filter((piece) => piece !== undefined));
    return { bytes, start: bytesOfPart(before === undefined ? middle : middle - 1).start, size };
  }, [size, middle, before, at, after]);
  const failed = queries.find(({ error }) => error !== null);
  return {
    size,
    loaded,
    error: first.error ?? (loaded === undefined ? failed?.error : undefined) ?? null,
    refetch: () => void (failed ?? first).refetch(),
  };
}
