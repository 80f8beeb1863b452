import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Empty, ErrorNote, Skeleton } from "../../ui/feedback/feedback.tsx";
import { Button } from "../../ui/input/button.tsx";
import { useCursorRows } from "../../ui/table/paged-rows.ts";
import { Table } from "../../ui/table/table.tsx";
import { Json } from "../../ui/values/json.tsx";
import styles from "./kind.module.css";
import { type Kind, type KindScope, type KindWord, titleOfKind } from "./kind.ts";

const route = getRouteApi("/@{$tenant}/browse/$kind");

interface KindTableProps<Row> {
  kind: Kind<Row>;
  word: KindWord;
  scope: KindScope;
}

/** All rows of a kind in a table, with the one named by the URL next to it. */
export function KindTable<Row>({ kind, word, scope }: KindTableProps<Row>): ReactNode {
  const { key } = route.useSearch();
  const navigate = route.useNavigate();
  const rows = useCursorRows({
    queryKey: ["kind", word, scope],
    pageSize: 100,
    fetchPage: (after, signal) => kind.fetchPage(scope, after, signal),
  });
  const title = titleOfKind(word);
  if (rows.isLoading) return <Skeleton lines={12} />;
  if (rows.error !== null && rows.count === 0) return <ErrorNote error={rows.error} onRetry={rows.refetch} />;
  if (rows.count === 0)
    return (
      <Empty
        title={`No ${title.toLowerCase()} yet`}
        command={`lading mass-operation run ${scope.tenant} operations.json`}
      >
        An operation with the intent {kind.intent} creates one. Run a file with it:
      </Empty>
    );
  const open = (row: Row) =>
    void navigate({ search: (now) => ({ ...now, key: kind.keyOf(row) }), replace: true });
  return (
    <div className={key === undefined ? styles.only : styles.panes}>
      <Table label={title} className={styles.table} columns={kind.columns} rows={rows} onOpen={open} />
      {key !== undefined && <Details key={key} kind={kind} word={word} scope={scope} chosen={key} />}
    </div>
  );
}

function Details<Row>({ kind, word, scope, chosen }: KindTableProps<Row> & { chosen: string }) {
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ["kind", word, scope, "one", chosen],
    queryFn: ({ signal }) => kind.read(scope, chosen, signal),
  });
  const close = () => void navigate({ search: ({ key: _key, ...rest }) => rest, replace: true });
  return (
    <section className={styles.details} aria-label="Details">
      <div className={styles.head}>
        <h2>{chosen}</h2>
        <Button onClick={close}>Close</Button>
      </div>
      {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton />}
      {data !== undefined && (
        <>
          {kind.details?.(data)}
          <Json value={data} name="All fields" />
        </>
      )}
    </section>
  );
}
