import type { ContentModel } from "@lading/schema";
import { type Endpoint, request } from "../service/graphql.ts";

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

export async function readContentModel(endpoint: Endpoint): Promise<ContentModel> {
  const model: ContentModel = { shapes: [], pieces: [] };
  let [shapesAfter, piecesAfter]: (string | null)[] = ["", ""];
  for (;;) {
    type Answer = {
      shapes: Page<ContentModel["shapes"][number]>;
      pieces: Page<ContentModel["pieces"][number]>;
    };
    const { shapes, pieces }: Answer = await request<Answer>(endpoint, query, { shapesAfter, piecesAfter });
    model.shapes.push(...shapes.edges.map(({ node }) => node.definition));
    model.pieces.push(...pieces.edges.map(({ node }) => node.definition));
    if (!shapes.pageInfo.hasNextPage && !pieces.pageInfo.hasNextPage) return model;
    shapesAfter = shapes.pageInfo.endCursor ?? shapesAfter;
    piecesAfter = pieces.pageInfo.endCursor ?? piecesAfter;
  }
}
