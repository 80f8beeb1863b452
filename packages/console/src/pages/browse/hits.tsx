import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { entitiesKey } from "../../api/query-client.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { Empty } from "../../ui/feedback/feedback.tsx";
import { pageOf, useCursorRows } from "../../ui/table/paged-rows.ts";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Pictured } from "../browse-model/image.tsx";
import { CustomerLink, ItemLink, OrderLink, personName, SkuLink } from "../browse-model/links.tsx";
import { Stored } from "../browse-model/stored.tsx";
import { isPlainKind, type SearchKind, searchKinds } from "../browse-model/words.ts";
import { nounOfKind, wordOfKind } from "../kind/kind.ts";
import styles from "./browse.module.css";
import { searchDocument } from "./documents.ts";
import { type Found, mergedHits } from "./merged-hits.ts";

const pageSize = 50;

interface HitsProps {
  text: string;
  kind: SearchKind | undefined;
  language: string;
}

/** Lists everything that has a text in its name, SKU or another identifier. */
export function Hits({ text, kind, language }: HitsProps) {
  const tenant = useTenant();
  const open = useOpen(language);
  // Which page shows an entity is remembered here, and pages read before are not known to it: they have another key.
  const [{ readPage, number }] = useState(() => ({
    readPage: mergedHits(pageSize, text),
    number: searches++,
  }));
  const rows = useCursorRows({
    queryKey: [entitiesKey, tenant, "search", number, text, kind],
    pageSize,
    // A text that matches little is searched for in everything.
    refetchInterval: false,
    fetchPage: (after, signal) =>
      readPage(after, async (first, cursor) => {
        const variables = { text, kinds: kind ? [kind] : searchKinds, first, after: cursor };
        return pageOf((await request(tenant, searchDocument, variables, signal)).search);
      }),
  });
  return (
    <Table label="Found" columns={columnsIn(language)} rows={rows} empty={<NoHits />} cards onOpen={open} />
  );
}

const NoHits = () => (
  <Empty title="No matches">
    Search covers parts of names, paths, SKUs, email addresses, identifiers and external references, and
    complete ids.
  </Empty>
);

let searches = 0;

function useOpen(language: string) {
  const tenant = useTenant();
  const navigate = useNavigate();
  return ({ kind, key, ...hit }: Found) => {
    if (kind === "customer")
      return void navigate({
        to: "/@{$tenant}/browse/customers/$customer",
        params: { tenant, customer: key },
      });
    if (kind === "order")
      return void navigate({ to: "/@{$tenant}/browse/orders/$order", params: { tenant, order: key } });
    if (kind === "variant")
      return void navigate({ to: "/@{$tenant}/browse/variants/$sku", params: { tenant, sku: key } });
    if (isPlainKind(kind))
      return void navigate({
        to: "/@{$tenant}/browse/$kind",
        params: { tenant, kind: wordOfKind(kind) },
        search: hit.language ? { key, language: hit.language } : { key },
      });
    const search = { language: hit.language ?? language };
    return void navigate({ to: "/@{$tenant}/browse/items/$item", params: { tenant, item: key }, search });
  };
}

const columnsIn = (language: string): Column<Found>[] => [
  {
    header: "Name",
    width: 14,
    grow: 1.4,
    card: "title",
    cell: (hit) => <HitName hit={hit} language={language} />,
  },
  { header: "Kind", width: 5, card: "state", cell: ({ kind, item }) => item?.type ?? nounOfKind(kind) },
  {
    header: "Found in",
    width: 14,
    grow: 1.6,
    card: "line",
    cell: ({ matches }) =>
      matches.map(({ field, value }) => (
        <span key={field} className={styles.match}>
          {fieldWords[field] ?? field} <Stored>{value}</Stored>
        </span>
      )),
  },
  {
    header: "Path",
    width: 10,
    grow: 1,
    card: "hidden",
    isExtra: true,
    cell: ({ item, topic }) => <Stored>{item?.tree?.path ?? topic?.path ?? "–"}</Stored>,
  },
];

const fieldWords: Readonly<Record<string, string>> = {
  sku: "SKU",
  email: "email address",
  resourceIdentifier: "resource identifier",
  externalReference: "external reference",
};

function HitName({
  hit: { kind, item, variant, customer, order, topic, key, ...hit },
  language,
}: {
  hit: Found;
  language: string;
}) {
  if (customer !== null) return <CustomerLink customer={customer} />;
  if (order !== null)
    return (
      <>
        <OrderLink order={order} /> <Stored>{personName(order.customer) ?? order.customer.identifier}</Stored>
      </>
    );
  if (variant !== null)
    return (
      <Pictured images={variant.images}>
        <SkuLink sku={variant.sku} /> {variant.displayName && <Stored>{variant.displayName.name}</Stored>}
      </Pictured>
    );
  if (isPlainKind(kind)) {
    const name = topic?.displayName?.name ?? hit.name;
    return name ? <Stored>{name}</Stored> : <code>{key}</code>;
  }
  return (
    <Pictured images={item && "defaultVariant" in item ? item.defaultVariant?.images : undefined}>
      <ItemLink id={key} name={item?.displayName ?? null} language={hit.language ?? language} />
    </Pictured>
  );
}
