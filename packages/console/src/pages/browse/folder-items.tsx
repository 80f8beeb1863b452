import { Link, useNavigate } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { entitiesKey } from "../../api/query-client.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { Empty } from "../../ui/feedback/feedback.tsx";
import { pageOf, useCursorRows } from "../../ui/table/paged-rows.ts";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Time } from "../../ui/values/time.tsx";
import { Pictured } from "../browse-model/image.tsx";
import { ItemLink } from "../browse-model/links.tsx";
import { VersionState } from "../browse-model/states.tsx";
import { Stored } from "../browse-model/stored.tsx";
import { childrenDocument, type ListedItem } from "./documents.ts";

interface FolderItemsProps {
  folder: string;
  root: string;
  language: string;
}

export function FolderItems({ folder, root, language }: FolderItemsProps) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const rows = useCursorRows({
    queryKey: [entitiesKey, tenant, "children", folder, language],
    pageSize: 100,
    fetchPage: async (after, signal, counts) => {
      const variables = { parent: folder, language, first: 100, after, counts };
      return pageOf(success((await request(tenant, childrenDocument, variables, signal)).items));
    },
  });
  return (
    <Table
      label="Items"
      columns={columnsIn(language)}
      rows={rows}
      empty={<NoItems isRoot={folder === root} />}
      cards
      onOpen={({ id: item }) =>
        void navigate({
          to: "/@{$tenant}/browse/items/$item",
          params: { tenant, item },
          search: { language },
        })
      }
    />
  );
}

function NoItems({ isRoot }: { isRoot: boolean }) {
  const tenant = useTenant();
  const command = `lading mass-operation run ${tenant} operations.json`;
  if (!isRoot)
    return (
      <Empty title="This folder is empty">To add items, run operations with its id as tree.parentId.</Empty>
    );
  return (
    <Empty title="No items yet" command={command}>
      Operations such as product/create create items.{" "}
      <Link to="/@{$tenant}/run" params={{ tenant }}>
        Run a file here
      </Link>
      , or use the command line:
    </Empty>
  );
}

const columnsIn = (language: string): Column<ListedItem>[] => [
  {
    header: "Name",
    width: 12,
    grow: 2,
    card: "title",
    cell: (item) => (
      <Pictured images={"defaultVariant" in item ? item.defaultVariant?.images : undefined}>
        <ItemLink id={item.id} name={item.displayName} language={language} />
      </Pictured>
    ),
  },
  { header: "Type", width: 5.2, cell: ({ type }) => type },
  {
    header: "Version",
    width: 7.2,
    card: "state",
    cell: (item) => <VersionState versions={item.availableVersions} />,
  },
  {
    header: "Shape",
    width: 7,
    grow: 1,
    isExtra: true,
    card: "hidden",
    cell: ({ shapeIdentifier }) => <code>{shapeIdentifier}</code>,
  },
  {
    header: "Identifier",
    width: 7,
    grow: 1,
    cell: (item) => <Stored>{item.resourceIdentifier ?? item.externalReference ?? "–"}</Stored>,
  },
  { header: "Changed", width: 8.2, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];
