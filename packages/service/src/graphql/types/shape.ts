import { payloads, withoutKeys } from "@lading/schema/internal";
import { GraphQLNonNull, GraphQLObjectType } from "graphql";
import type { PieceRow } from "../../storage/collections/pieces.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { ContentCount } from "../../storage/queries/content-counts.ts";
import type { CoreContext } from "../context.ts";
import { leafType } from "../derive/from-zod.ts";
import { boolean, integer, listOf, text, time } from "../derive/non-null.ts";
import { derivedTypes } from "../derive/output-types.ts";
import { inside } from "../derive/payload-parts.ts";
import { GraphQLJson } from "../derive/scalars.ts";
import { ComponentDefinition } from "./content/component-definition.ts";
import { resolveConfiguration } from "./content/resolved-configuration.ts";

const CountOfItems = new GraphQLObjectType({
  name: "ContentCount",
  description: "The number of items with content in some components.",
  fields: {
    items: { type: integer, description: "Items with content in any of them." },
    more: { type: boolean, description: "True: counting stopped early, so there may be more." },
    components: {
      type: listOf(
        new GraphQLObjectType({
          name: "ComponentContentCount",
          fields: {
            componentId: { type: text },
            place: {
              type: text,
              description: "The component, with its list and enclosing components.",
            },
            items: { type: integer },
          },
        }),
      ),
    },
  },
});

/** The effects of an update on stored content; null if the mutation had none of the kind. */
const facts = {
  orphaned: {
    type: CountOfItems,
    description:
      "After an update that removed components: the number of items whose content is no longer read.",
  },
  differing: {
    type: CountOfItems,
    description:
      "After an update that set multilingual to false: the number of items whose content differs between languages.",
  },
};

/** A shape or piece as a mutation answers it, with the findings of its command. */
export type Updated<Row> = Row & { orphaned?: ContentCount; differing?: ContentCount };

const components = { type: listOf(ComponentDefinition) };
const times = {
  createdAt: { type: time },
  updatedAt: { type: time },
};

const shapeInput = payloads["shape/create"];

export const Shape = new GraphQLObjectType<Updated<ShapeRow>, CoreContext>({
  name: "Shape",
  fields: () => ({
    identifier: { type: text },
    name: { type: text },
    type: { type: new GraphQLNonNull(leafType(inside(shapeInput, "type"), "ShapeType")) },
    meta: { type: derivedTypes.object(inside(shapeInput, "meta")) },
    components,
    variantComponents: components,
    resolvedConfiguration: {
      type: GraphQLJson,
      description: "The components and variantComponents, with pieces expanded to their definitions.",
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
        components: withoutKeys(components),
        ...(type === "product" && { variantComponents: withoutKeys(variantComponents) }),
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
      resolve: ({ identifier, name, components }) => ({
        ...{ identifier, name, components: withoutKeys(components) },
      }),
    },
    ...facts,
    ...times,
  },
});
