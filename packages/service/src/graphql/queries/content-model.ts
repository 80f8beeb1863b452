import { reject } from "../../errors.ts";
import { listPieces, listShapes } from "../../storage/queries/content-model.ts";
import { text } from "../derive/non-null.ts";
import { plainField, resultField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { resultUnion } from "../types/result-union.ts";
import { Piece, Shape } from "../types/shape.ts";

/** Clients mostly ask for the whole content model, and it is small. */
const standardFirst = 1_000;

const identifierArgument = { identifier: { type: text } };

export const contentModelQueries = {
  shape: resultField<{ identifier: string }>({
    type: resultUnion("ShapeResult", [Shape]),
    description: "A shape.",
    args: identifierArgument,
    resolve: async ({ identifier }, { loaders }) =>
      (await loaders.shape(identifier)) ??
      reject("ShapeNotFoundError", `No shape has the identifier "${identifier}"`, ["identifier"]),
  }),
  shapes: plainField<PageArguments>({
    type: connection(Shape),
    description: "The tenant's shapes, ordered by identifier; the default page has 1,000.",
    args: pageArguments,
    resolve: async (given, { services, tenant }) => ({
      page: await listShapes(services.database, tenant.id, pageRequest(given, standardFirst)),
      after: given.after,
    }),
  }),
  piece: resultField<{ identifier: string }>({
    type: resultUnion("PieceResult", [Piece]),
    description: "A piece.",
    args: identifierArgument,
    resolve: async ({ identifier }, { loaders }) =>
      (await loaders.piece(identifier)) ??
      reject("PieceNotFoundError", `No piece has the identifier "${identifier}"`, ["identifier"]),
  }),
  pieces: plainField<PageArguments>({
    type: connection(Piece),
    description: "The tenant's pieces, ordered by identifier; the default page has 1,000.",
    args: pageArguments,
    resolve: async (given, { services, tenant }) => ({
      page: await listPieces(services.database, tenant.id, pageRequest(given, standardFirst)),
      after: given.after,
    }),
  }),
};
