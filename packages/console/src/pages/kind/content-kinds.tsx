import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { numberText } from "../../ui/format.ts";
import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import {
  type FlowRow,
  flowDocument,
  flowsDocument,
  type ImageRow,
  imageDocument,
  imagesDocument,
  type PieceRow,
  pieceDocument,
  piecesDocument,
  type ShapeRow,
  shapeDocument,
  shapesDocument,
  type TopicRow,
  topicDocument,
  topicsDocument,
} from "./content-documents.ts";
import { Definitions, definitionsIn } from "./definitions.tsx";
import styles from "./kind.module.css";
import { type Kind, pageOf } from "./kind.ts";

const identifier = {
  header: "Identifier",
  width: 9,
  grow: 1,
  cell: (row: { identifier: string }) => <code>{row.identifier}</code>,
};
const name = { header: "Name", width: 9, grow: 1, cell: (row: { name: string | null }) => row.name ?? "–" };
const changed = {
  header: "Changed",
  width: 8.2,
  isExtra: true,
  cell: (row: { updatedAt: string }) => <Time at={row.updatedAt} />,
};
const keyOf = (row: { identifier: string }) => row.identifier;

export const shapes: Kind<ShapeRow> = {
  intent: "shape/create",
  keyOf,
  columns: [
    identifier,
    name,
    { header: "Type", width: 5.2, cell: ({ type }) => type },
    { header: "Components", width: 6, isFigure: true, cell: ({ components }) => components.length },
    {
      header: "Of variants",
      width: 6,
      isFigure: true,
      isExtra: true,
      cell: (row) => row.variantComponents.length,
    },
    changed,
  ],
  fetchPage: async ({ tenant }, after, signal) =>
    pageOf(success((await request(tenant, shapesDocument, { after }, signal)).shapes)),
  read: async ({ tenant }, key, signal) =>
    success((await request(tenant, shapeDocument, { key }, signal)).shape),
  details: (shape) => (
    <>
      <Definitions title="Components" components={definitionsIn(shape, "components")} />
      <Definitions title="Components of variants" components={definitionsIn(shape, "variantComponents")} />
    </>
  ),
};

export const pieces: Kind<PieceRow> = {
  intent: "piece/create",
  keyOf,
  columns: [
    identifier,
    name,
    { header: "Components", width: 6, isFigure: true, cell: ({ components }) => components.length },
    changed,
  ],
  fetchPage: async ({ tenant }, after, signal) =>
    pageOf(success((await request(tenant, piecesDocument, { after }, signal)).pieces)),
  read: async ({ tenant }, key, signal) =>
    success((await request(tenant, pieceDocument, { key }, signal)).piece),
  details: (piece) => <Definitions title="Components" components={definitionsIn(piece, "components")} />,
};

export const topics: Kind<TopicRow> = {
  intent: "topic/create",
  keyOf: ({ id }) => id,
  columns: [
    name,
    { header: "Path", width: 10, grow: 1.4, cell: ({ path }) => <code>{path ?? "–"}</code> },
    {
      header: "Identifier",
      width: 8,
      grow: 1,
      cell: ({ resourceIdentifier }) => <code>{resourceIdentifier ?? "–"}</code>,
    },
    { header: "Id", width: 11, cell: ({ id }) => <Id id={id} /> },
    changed,
  ],
  fetchPage: async ({ tenant, language }, after, signal) =>
    pageOf(success((await request(tenant, topicsDocument, { language, after }, signal)).topics)),
  read: async ({ tenant, language }, key, signal) =>
    success((await request(tenant, topicDocument, { language, key }, signal)).topic),
};

export const flows: Kind<FlowRow> = {
  intent: "flow/create",
  keyOf,
  columns: [
    identifier,
    name,
    { header: "Type", width: 6, cell: ({ type }) => type },
    {
      header: "Stages",
      width: 10,
      grow: 1.4,
      cell: ({ stages }) => stages.map((stage) => stage.name).join(" → "),
    },
    changed,
  ],
  fetchPage: async ({ tenant }, after, signal) =>
    pageOf(success((await request(tenant, flowsDocument, { after }, signal)).flows)),
  read: async ({ tenant }, key, signal) =>
    success((await request(tenant, flowDocument, { key }, signal)).flow),
};

export const images: Kind<ImageRow> = {
  intent: "image/register",
  keyOf: ({ key }) => key,
  columns: [
    { header: "Key", width: 12, grow: 2, cell: ({ key }) => <code title={key}>{key}</code> },
    { header: "Type", width: 7, cell: ({ mimeType }) => mimeType ?? "–" },
    {
      header: "Pixels",
      width: 7,
      isFigure: true,
      cell: ({ width, height }) => (width === null ? "–" : `${width} × ${height}`),
    },
    {
      header: "Bytes",
      width: 6,
      isFigure: true,
      cell: ({ size }) => (size === null ? "–" : numberText(size)),
    },
    { header: "Identifier", width: 8, grow: 1, cell: (row) => <code>{row.resourceIdentifier ?? "–"}</code> },
    { header: "Created", width: 8.2, isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
  fetchPage: async ({ tenant }, after, signal) =>
    pageOf(success((await request(tenant, imagesDocument, { after }, signal)).images)),
  read: async ({ tenant }, key, signal) =>
    success((await request(tenant, imageDocument, { key }, signal)).image),
  details: (found) =>
    "url" in found &&
    typeof found.url === "string" && <img className={styles.preview} src={found.url} alt="As served" />,
};
