import { Time } from "../../ui/values/time.tsx";
import { Stored } from "../browse-model/stored.tsx";

export const identifier = {
  header: "Identifier",
  width: 9,
  grow: 1,
  cell: (row: { identifier: string }) => <code>{row.identifier}</code>,
};

export const name = {
  header: "Name",
  width: 9,
  grow: 1,
  card: "title",
  cell: (row: { name: string | null }) => <Stored>{row.name ?? "–"}</Stored>,
} as const;

export const changed = {
  header: "Changed",
  width: 8.2,
  isExtra: true,
  cell: (row: { updatedAt: string }) => <Time at={row.updatedAt} />,
};
