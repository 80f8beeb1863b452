import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Pending } from "../../layout/page-states.tsx";
import { numberText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { HeadRow, WideTable } from "../../ui/table/plain-table.tsx";
import { Part } from "../browse-model/facts.tsx";

interface PageOf<Row> {
  totalCount: number;
  edges: { node: Row }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

interface PagedPartProps<Row> {
  title: string;
  queryKey: QueryKey;
  fetchPage: (after: string, signal: AbortSignal) => Promise<PageOf<Row>>;
  headers: readonly string[];
  row: (row: Row) => ReactNode;
}

/** A part of a page with the first rows of a list, and a button for more of them. */
export function PagedPart<Row>({ title, queryKey, fetchPage, headers, row }: PagedPartProps<Row>) {
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
  });
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (data === undefined)
    return (
      <Part title={title}>
        <Pending query={query} lines={3} />
      </Part>
    );
  const count = data.pages[0]?.totalCount ?? 0;
  if (count === 0) return <Part title={title}>None.</Part>;
  return (
    <Part title={`${title} (${numberText(count)})`}>
      <WideTable label={title}>
        <HeadRow names={headers} />
        <tbody>{data.pages.flatMap(({ edges }) => edges.map(({ node }) => row(node)))}</tbody>
      </WideTable>
      {hasNextPage && (
        <span>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            More
          </Button>
        </span>
      )}
    </Part>
  );
}
