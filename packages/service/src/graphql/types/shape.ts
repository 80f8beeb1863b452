import { payloads } from "@lading/schema";
import { GraphQLBoolean, GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import type { PieceRow } from "../../storage/collections/pieces.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { ContentCount } from "../../storage/queries/content-counts.ts";
import { listPieces, listShapes } from "../../storage/queries/content-model.ts";
import type { CoreContext } from "../context.ts";
import { leafType, unwrap, type ZodObjectSchema } from "../derive/from-zod.ts";
import { listOf } from "../derive/list-of.ts";
import { stored } from "../derive/output-types.ts";
import { GraphQLDateTime, GraphQLJson } from "../derive/scalars.ts";
import { outcomeField, plainField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "./connection.ts";
import { ComponentDefinition } from "./content/component-definition.ts";
import { resolveConfiguration } from "./content/resolved-configuration.ts";
import { outcome } from "./errors.ts";

const text = new GraphQLNonNull(GraphQLString);

const count = new GraphQLNonNull(GraphQLInt);

const CountOfItems = new GraphQLObjectType({
  name: "ContentCount",
  description: "How many items have content in some components.",
  fields: {
    items: { type: count, description: "In any of them." },
    more: { type: new GraphQLNonNull(GraphQLBoolean), description: "Counting ended before all were seen." },
    components: {
      type: listOf(
        new GraphQLObjectType({
          name: "ComponentContentCount",
          fields: {
            componentId: { type: text },
            place: { type: text, description: "With the list and the components that it is in." },
            items: { type: count },
          },
        }),
      ),
    },
  },
});

/** What an update tells about content that is stored; null where the mutation did not change what it tells. */
const facts = {
  orphaned: {
    type: CountOfItems,
    description: "Of the update that removed components: how many items have content that is no longer read.",
  },
  differing: {
    type: CountOfItems,
    description:
      "Of the update that set multilingual to false: how many items have different content in their languages.",
  },
};

/** A shape or piece as a mutation answers it, with what its command found. */
export type Updated<Row> = Row & { orphaned?: ContentCount; differing?: ContentCount };

const components = { type: listOf(ComponentDefinition) };
const times = {
  createdAt: { type: new GraphQLNonNull(GraphQLDateTime) },
  updatedAt: { type: new GraphQLNonNull(GraphQLDateTime) },
};

const shapeInput = payloads["shape/create"].shape;

export const Shape = new GraphQLObjectType<Updated<ShapeRow>, CoreContext>({
  name: "Shape",
  fields: () => ({
    identifier: { type: text },
    name: { type: text },
    type: { type: new GraphQLNonNull(leafType(unwrap(shapeInput.type).schema, "ShapeType")) },
    meta: { type: stored.object(unwrap(shapeInput.meta).schema as ZodObjectSchema) },
    components,
    variantComponents: components,
    resolvedConfiguration: {
      type: GraphQLJson,
      description: "The components and variantComponents, with the definition of every piece in its place.",
      resolve: (shape, _, { loaders }) => resolveConfiguration(shape, loaders.piece),
    },
    definition: {
      type: new GraphQLNonNull(GraphQLJson),
      description: "The shape as `shape/upsert` takes it.",
      resolve: ({ identifier, name, type, meta, components, variantComponents }) => ({
        identifier,
        name,
        type,
        ...(meta !== null && { meta }),
        components,
        ...(type === "product" && { variantComponents }),
      }),
    },
    ...facts,
    ...times,
  }),
});

export const Piece = new GraphQLObjectType<Updated<PieceRow>, CoreContext>({
  name: "Piece",
  fields: {
    identifier: { type: text },
    name: { type: text },
    components,
    definition: {
      type: new GraphQLNonNull(GraphQLJson),
      description: "The piece as `piece/upsert` takes it.",
      resolve: ({ identifier, name, components }) => ({ identifier, name, components }),
    },
    ...facts,
    ...times,
  },
});

/** The whole content model is what clients mostly ask for, and it is small. */
const standardFirst = 1_000;

const identifierArgument = { identifier: { type: text } };

export const contentModelQueries = {
  shape: outcomeField<{ identifier: string }>({
    type: outcome("ShapeResult", [Shape]),
    description: "A shape.",
    args: identifierArgument,
    resolve: async ({ identifier }, { loaders }) =>
      (await loaders.shape(identifier)) ??
      reject("ShapeNotFoundError", `No shape has the identifier "${identifier}"`, ["identifier"]),
  }),
  shapes: plainField<PageArguments>({
    type: connection(Shape),
    description: "The tenant's shapes in the order of their identifiers; 1,000 unless asked.",
    args: pageArguments,
    resolve: async (given, { services, tenant }) => ({
      page: await listShapes(services.database, tenant.id, pageRequest(given, standardFirst)),
      after: given.after,
    }),
  }),
  piece: outcomeField<{ identifier: string }>({
    type: outcome("PieceResult", [Piece]),
    description: "A piece.",
    args: identifierArgument,
    resolve: async ({ identifier }, { loaders }) =>
      (await loaders.piece(identifier)) ??
      reject("PieceNotFoundError", `No piece has the identifier "${identifier}"`, ["identifier"]),
  }),
  pieces: plainField<PageArguments>({
    type: connection(Piece),
    description: "The tenant's pieces in the order of their identifiers; 1,000 unless asked.",
    args: pageArguments,
    resolve: async (given, { services, tenant }) => ({
      page: await listPieces(services.database, tenant.id, pageRequest(given, standardFirst)),
      after: given.after,
    }),
  }),
};
