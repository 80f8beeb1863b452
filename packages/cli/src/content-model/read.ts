import type { ComponentDefinition } from "@lading/schema";
import { type Endpoint, request } from "../service/graphql.ts";

/** A piece as `piece/upsert` takes it. */
export interface Piece {
  identifier: string;
  name: string;
  components: ComponentDefinition[];
}

/** A shape as `shape/upsert` takes it. */
export interface Shape extends Piece {
  type: "product" | "document" | "folder";
  meta?: { key: string; value?: string | null };
  variantComponents?: ComponentDefinition[];
}

/** All shapes and pieces of a tenant, in the order of their identifiers. */
export interface ContentModel {
  shapes: Shape[];
  pieces: Piece[];
}

const page = "pageInfo { endCursor hasNextPage } edges { node { definition } }";

const query = `
  query ReadContentModel($shapesAfter: String, $piecesAfter: String) {
    shapes(first: 500, after: $shapesAfter) { ${page} }
    pieces(first: 500, after: $piecesAfter) { ${page} }
  }`;

interface Page<Definition> {
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
  edges: { node: { definition: Definition } }[];
}

/** Reads the whole content model of a tenant. */
export async function readContentModel(endpoint: Endpoint): Promise<ContentModel> {
  const model: ContentModel = { shapes: [], pieces: [] };
  let [shapesAfter, piecesAfter]: (string | null)[] = ["", ""];
  for (;;) {
    type Answer = { shapes: Page<Shape>; pieces: Page<Piece> };
    const { shapes, pieces }: Answer = await request<Answer>(endpoint, query, { shapesAfter, piecesAfter });
    model.shapes.push(...shapes.edges.map(({ node }) => node.definition));
    model.pieces.push(...pieces.edges.map(({ node }) => node.definition));
    if (!shapes.pageInfo.hasNextPage && !pieces.pageInfo.hasNextPage) return model;
    shapesAfter = shapes.pageInfo.endCursor ?? shapesAfter;
    piecesAfter = pieces.pageInfo.endCursor ?? piecesAfter;
  }
}
