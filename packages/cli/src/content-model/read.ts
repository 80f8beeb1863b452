import type { ContentModel } from "@lading/schema/internal";
import { type AnswerOf, graphql, type VariablesOf } from "../service/documents.ts";
import { type Endpoint, request } from "../service/graphql.ts";

const page = "pageInfo { endCursor hasNextPage } edges { node { definition } }";

const query = graphql(`
  query ReadContentModel($shapesAfter: String, $piecesAfter: String) {
    shapes(first: 500, after: $shapesAfter) { ${page} }
    pieces(first: 500, after: $piecesAfter) { ${page} }
  }`);

export async function readContentModel(endpoint: Endpoint): Promise<ContentModel> {
  const model: ContentModel = { shapes: [], pieces: [] };
  let [shapesAfter, piecesAfter]: (string | null)[] = ["", ""];
  for (;;) {
    const after: VariablesOf<typeof query> = { shapesAfter, piecesAfter };
    const { shapes, pieces }: AnswerOf<typeof query> = await request(endpoint, query, after);
    model.shapes.push(...definitionsIn<ContentModel["shapes"][number]>(shapes));
    model.pieces.push(...definitionsIn<ContentModel["pieces"][number]>(pieces));
    if (!shapes.pageInfo.hasNextPage && !pieces.pageInfo.hasNextPage) return model;
    shapesAfter = shapes.pageInfo.endCursor ?? shapesAfter;
    piecesAfter = pieces.pageInfo.endCursor ?? piecesAfter;
  }
}

/** The definitions of a page, which are JSON in the schema. */
const definitionsIn = <Definition>({ edges }: { edges: { node: { definition: unknown } }[] }) =>
  edges.map(({ node }) => node.definition as Definition);
