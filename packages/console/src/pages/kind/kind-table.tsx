import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { entitiesKey } from "../../api/query-client.ts";
import { Pending } from "../../layout/page-states.tsx";
import { Empty } from "../../ui/feedback/feedback.tsx";
import { Button } from "../../ui/input/button.tsx";
import { useCursorRows } from "../../ui/table/paged-rows.ts";
import { Table } from "../../ui/table/table.tsx";
import { AsJson } from "../browse-model/facts.tsx";
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
  const { tenant, language } = scope;
  const { one } = kind;
  const { key } = route.useSearch();
  const navigate = useNavigate();
  const rows = useCursorRows({
    queryKey: [entitiesKey, tenant, "kind", word, language],
    pageSize: 100,
    fetchPage: (after, signal, counts) => kind.fetchPage({ ...scope, counts }, after, signal),
  });
  const title = titleOfKind(word);
  if ("page" in one && key !== undefined) return <Navigate {...one.page(tenant, key)} replace />;
  const empty = (
    <Empty
      title={`No ${title.toLowerCase()} yet`}
      command={`lading mass-operation run ${tenant} operations.json`}
    >
      Operations with the intent {kind.intent} create them.{" "}
      <Link to="/@{$tenant}/run" params={{ tenant }}>
        Run a file here
      </Link>
      , or use the command line:
    </Empty>
  );
  const open = (row: Row) => {
    if ("page" in one) void navigate(one.page(tenant, kind.keyOf(row)));
    else
      void navigate({
        from: "/@{$tenant}/browse/$kind",
        search: (now) => ({ ...now, key: kind.keyOf(row) }),
        replace: true,
      });
  };
  return (
    <div className={key === undefined ? styles.only : styles.panes}>
      <Table label={title} columns={kind.columns(language)} rows={rows} empty={empty} cards onOpen={open} />
      {key !== undefined && "read" in one && (
        <Details key={key} read={one.read} word={word} scope={scope} chosen={key} />
      )}
    </div>
  );
}

interface DetailsProps {
  read: Extract<Kind<never>["one"], { read: unknown }>["read"];
  word: KindWord;
  scope: KindScope;
  chosen: string;
}

function Details({ read, word, scope, chosen }: DetailsProps) {
  const navigate = route.useNavigate();
  const query = useQuery({
    queryKey: [entitiesKey, scope.tenant, "kind", word, scope.language, "one", chosen],
    queryFn: ({ signal }) => read(scope, chosen, signal),
  });
  const { data } = query;
  const close = () => void navigate({ search: ({ key: _key, ...rest }) => rest, replace: true });
  return (
    <section className={styles.details} aria-label="Details">
      <div className={styles.head}>
        <h2>{data?.title ?? chosen}</h2>
        <Button onClick={close}>Close</Button>
      </div>
      {data === undefined ? (
        <Pending query={query} lines={5} />
      ) : (
        <>
          {data.parts}
          <AsJson value={data.value} />
        </>
      )}
    </section>
  );
}
