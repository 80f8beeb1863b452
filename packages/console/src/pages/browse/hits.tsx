import { Link, useNavigate } from "@tanstack/react-router";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { Empty, ErrorNote, Skeleton } from "../../ui/feedback/feedback.tsx";
import { type RowPage, useCursorRows } from "../../ui/table/paged-rows.ts";
import { type Column, Table } from "../../ui/table/table.tsx";
import { ItemLink } from "../browse-model/item-link.tsx";
import { type SearchKind, searchKinds } from "../browse-model/words.ts";
import type { KindWord } from "../kind/kind.ts";
import styles from "./browse.module.css";
import { type Hit, searchDocument } from "./documents.ts";

const pageSize = 50;

/** Lists everything that has a text in its name, SKU or another identifier. */
export function Hits({
  text,
  kind,
  language,
}: {
  text: string;
  kind: SearchKind | undefined;
  language: string;
}) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const rows = useCursorRows({
    queryKey: ["search", tenant, text, kind],
    pageSize,
    fetchPage: (after, signal) =>
      fullPage(tenant, { text, kinds: kind ? [kind] : searchKinds }, after, signal),
  });
  if (rows.isLoading) return <Skeleton lines={12} />;
  if (rows.error !== null && rows.count === 0) return <ErrorNote error={rows.error} onRetry={rows.refetch} />;
  if (rows.count === 0)
    return (
      <Empty title="No matches">
        Search covers parts of names, paths, SKUs, email addresses, identifiers and external references, and
        complete ids.
      </Empty>
    );
  const open = (hit: Hit) => {
    const { kind: word, key } = pageOf(hit);
    const search = { language: hit.language ?? language };
    if (word === "items")
      void navigate({ to: "/@{$tenant}/browse/items/$item", params: { tenant, item: key }, search });
    else void navigate({ to: "/@{$tenant}/browse/$kind", params: { tenant, kind: word }, search: { key } });
  };
  return <Table label="Found" className={styles.table} columns={columns} rows={rows} onOpen={open} />;
}

/** Reads until a page is full: the service ends a page early after scanning many values. */
async function fullPage(
  tenant: string,
  search: { text: string; kinds: readonly SearchKind[] },
  after: string,
  signal: AbortSignal,
): Promise<RowPage<Hit>> {
  const rows: Hit[] = [];
  for (let cursor = after; ; ) {
    const first = pageSize - rows.length;
    const variables = { ...search, kinds: [...search.kinds], first, after: cursor };
    const { edges, pageInfo } = (await request(tenant, searchDocument, variables, signal)).search;
    rows.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null || rows.length === pageSize)
      return { rows, ...pageInfo };
    cursor = pageInfo.endCursor;
  }
}

/** The kind of page that shows a hit, and its key there. */
function pageOf({ item, variant, customer, order, value }: Hit): {
  kind: "items" | KindWord;
  key: string;
} {
  if (customer !== null) return { kind: "customers", key: customer.identifier };
  if (order !== null) return { kind: "orders", key: order.id };
  return { kind: "items", key: item?.id ?? variant?.productId ?? value };
}

const columns: Column<Hit>[] = [
  { header: "Kind", width: 5, cell: ({ kind, item }) => item?.type ?? kind },
  { header: "Name", width: 12, grow: 1.4, cell: (hit) => <HitName hit={hit} /> },
  {
    header: "Found in",
    width: 10,
    cell: ({ field, language }) => [field, language].filter(Boolean).join(" · "),
  },
  { header: "Value", width: 12, grow: 1.4, cell: ({ value }) => <code title={value}>{value}</code> },
  { header: "Path", width: 10, grow: 1, cell: ({ item }) => <code>{item?.tree?.path ?? "–"}</code> },
];

function HitName({ hit }: { hit: Hit }) {
  const tenant = useTenant();
  const { kind, key } = pageOf(hit);
  if (kind === "items") return <ItemLink id={key} name={nameOf(hit)} language={hit.language ?? undefined} />;
  return (
    <Link to="/@{$tenant}/browse/$kind" params={{ tenant, kind }} search={{ key }} tabIndex={-1}>
      {nameOf(hit) ?? <code>{key}</code>}
    </Link>
  );
}

function nameOf({ item, variant, customer, order }: Hit): string | null {
  if (customer !== null)
    return (
      customer.companyName ?? ([customer.firstName, customer.lastName].filter(Boolean).join(" ") || null)
    );
  if (variant !== null) return variant.name ?? variant.sku;
  return order?.reference ?? item?.name ?? null;
}
