import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { bytesText, numberText } from "../../ui/format.ts";
import { pageOf } from "../../ui/table/paged-rows.ts";
import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import { Fact, Facts, KeyValues, Part } from "../browse-model/facts.tsx";
import { Image, Pictured } from "../browse-model/image.tsx";
import { Name, Stored } from "../browse-model/stored.tsx";
import { changed, identifier, name } from "./columns.tsx";
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
import { Definitions } from "./definitions.tsx";
import styles from "./kind.module.css";
import type { Kind } from "./kind.ts";
import { TopicParts } from "./topic.tsx";

const keyOf = (row: { identifier: string }) => row.identifier;

export const shapes: Kind<ShapeRow> = {
  intent: "shape/create",
  keyOf,
  columns: () => [
    name,
    identifier,
    { header: "Type", width: 5.2, cell: ({ type }) => type },
    { header: "Components", width: 6, isFigure: true, cell: ({ components }) => components.length },
    {
      header: "Variant components",
      width: 6,
      isFigure: true,
      isExtra: true,
      cell: (row) => row.variantComponents.length,
    },
    changed,
  ],
  fetchPage: async ({ tenant }, after, signal) =>
    pageOf(success((await request(tenant, shapesDocument, { after }, signal)).shapes)),
  one: {
    async read({ tenant }, key, signal) {
      const shape = success((await request(tenant, shapeDocument, { key }, signal)).shape);
      const parts = (
        <>
          <Common {...shape} type={shape.type} />
          <Definitions title="Components" components={shape.components} />
          <Definitions title="Components of variants" components={shape.variantComponents} />
        </>
      );
      return { title: <Stored>{shape.name}</Stored>, value: shape, parts };
    },
  },
};

export const pieces: Kind<PieceRow> = {
  intent: "piece/create",
  keyOf,
  columns: () => [
    name,
    identifier,
    { header: "Components", width: 6, isFigure: true, cell: ({ components }) => components.length },
    changed,
  ],
  fetchPage: async ({ tenant }, after, signal) =>
    pageOf(success((await request(tenant, piecesDocument, { after }, signal)).pieces)),
  one: {
    async read({ tenant }, key, signal) {
      const piece = success((await request(tenant, pieceDocument, { key }, signal)).piece);
      const parts = (
        <>
          <Common {...piece} />
          <Definitions title="Components" components={piece.components} />
        </>
      );
      return { title: <Stored>{piece.name}</Stored>, value: piece, parts };
    },
  },
};

export const topics: Kind<TopicRow> = {
  intent: "topic/create",
  keyOf: ({ id }) => id,
  columns: (language) => [
    {
      ...name,
      cell: ({ id, displayName }) => <Name name={displayName} language={language} id={id} />,
    },
    { header: "Path", width: 10, grow: 1.4, cell: ({ path }) => <Stored>{path ?? "–"}</Stored> },
    {
      header: "Identifier",
      width: 8,
      grow: 1,
      cell: ({ resourceIdentifier }) => <code>{resourceIdentifier ?? "–"}</code>,
    },
    changed,
  ],
  fetchPage: async ({ tenant, language, counts }, after, signal) =>
    pageOf(success((await request(tenant, topicsDocument, { language, after, counts }, signal)).topics)),
  one: {
    async read({ tenant, language }, key, signal) {
      const topic = success((await request(tenant, topicDocument, { language, key }, signal)).topic);
      const title = <Name name={topic.displayName} language={language} id={topic.id} />;
      return { title, value: topic, parts: <TopicParts topic={topic} language={language} /> };
    },
  },
};

export const flows: Kind<FlowRow> = {
  intent: "flow/create",
  keyOf,
  columns: () => [
    name,
    identifier,
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
  one: {
    async read({ tenant }, key, signal) {
      const flow = success((await request(tenant, flowDocument, { key }, signal)).flow);
      const parts = (
        <>
          <Common {...flow} type={flow.type} />
          <Part title="Stages">
            <ol className={styles.stages}>
              {flow.stages.map((stage) => (
                <li key={stage.identifier}>
                  <Stored>{stage.name}</Stored> <code>{stage.identifier}</code>{" "}
                  {stage.actions.map(({ action }) => action).join(", ")}
                </li>
              ))}
            </ol>
          </Part>
          <KeyValues title="Meta" pairs={flow.meta} />
        </>
      );
      return { title: <Stored>{flow.name}</Stored>, value: flow, parts };
    },
  },
};

export const images: Kind<ImageRow> = {
  intent: "image/register",
  keyOf: ({ key }) => key,
  columns: () => [
    {
      header: "File",
      width: 12,
      grow: 2,
      card: "title",
      cell: (image) => (
        <Pictured images={[image]}>
          <span title={image.key}>{fileName(image.key)}</span>
        </Pictured>
      ),
    },
    {
      header: "Alt text",
      width: 8,
      grow: 1,
      card: "hidden",
      cell: ({ altText }) => <Stored>{altText ?? "–"}</Stored>,
    },
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
  one: {
    async read({ tenant }, key, signal) {
      const image = success((await request(tenant, imageDocument, { key }, signal)).image);
      const { url, mimeType, width, height, size, resourceIdentifier, createdAt, altText } = image;
      const parts = (
        <>
          <Image image={image} size={320} />
          <Facts>
            <Fact name="Alt text">{altText}</Fact>
            <Fact name="Type">{mimeType}</Fact>
            {width !== null && <Fact name="Pixels">{`${width} × ${height}`}</Fact>}
            {size !== null && <Fact name="Size">{bytesText(size)}</Fact>}
            <Fact name="Resource identifier">{resourceIdentifier}</Fact>
            <Fact name="Created">
              <Time at={createdAt} />
            </Fact>
            <Fact name="Key">
              <Id id={key} name="key" />
            </Fact>
            <Fact name="Original">{url && <a href={url}>Open</a>}</Fact>
          </Facts>
        </>
      );
      return { title: fileName(key), value: image, parts };
    },
  },
};

const fileName = (key: string) => key.split("/").at(-1) ?? key;

interface CommonProps {
  identifier: string;
  type?: string;
  createdAt: string;
  updatedAt: string;
}

/** The facts that shapes, pieces and flows have in common. */
const Common = ({ identifier, type, createdAt, updatedAt }: CommonProps) => (
  <Facts>
    <Fact name="Identifier">
      <Id id={identifier} name="identifier" />
    </Fact>
    <Fact name="Type">{type}</Fact>
    <Fact name="Created">
      <Time at={createdAt} />
    </Fact>
    <Fact name="Changed">
      <Time at={updatedAt} />
    </Fact>
  </Facts>
);
