import {
  type ComponentContent,
  type ComponentDefinition,
  type ComponentType,
  componentTypes,
  type NestableContent,
} from "@lading/schema";
import {
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
} from "graphql";
import type { CoreContext } from "../../context.ts";
import { listOf } from "../../derive/list-of.ts";
import { derivedTypes } from "../../derive/output-types.ts";
import { componentTypeEnum, contentSchema, elementSchema } from "../../derive/payload-parts.ts";
import {
  type ComponentScope,
  type ComponentView,
  componentViews,
  definitionOf,
  innerScope,
} from "./component-view.ts";

const ComponentContentUnion = new GraphQLUnionType({
  name: "ComponentContent",
  description: "The content of a component, by its type.",
  types: () => componentTypes.map((type) => contentTypes[type]),
});

/** A component of an item or a variant that has content. */
export const Component: GraphQLObjectType<ComponentView, CoreContext> = new GraphQLObjectType({
  name: "Component",
  fields: () => ({
    componentId: { type: new GraphQLNonNull(GraphQLString) },
    name: { type: GraphQLString, resolve: async (view) => (await definitionOf(view))?.name },
    type: { type: new GraphQLNonNull(componentTypeEnum()) },
    content: { type: new GraphQLNonNull(ComponentContentUnion), resolve: contentSource },
  }),
});

/** What the resolvers of a content type get: the content's own fields, and the component it belongs to. */
export interface ContentSource {
  __typename: string;
  view: ComponentView;
}

const contentSource = (view: ComponentView): ContentSource => ({
  ...(view.value as object),
  __typename: contentTypes[view.type].name,
  view,
});

type Fields = GraphQLFieldConfigMap<ContentSource, CoreContext>;

/** The components that a content consists of: their fields are not those that are stored. */
const structural: Partial<Record<ComponentType, () => Fields>> = {
  piece: () => ({
    identifier: { type: new GraphQLNonNull(GraphQLString) },
    components: {
      type: listOf(Component),
      resolve({ view }, _, { loaders }) {
        const { identifier, components } = view.value as {
          identifier: string;
          components: ComponentContent[];
        };
        const definitions = async () => (await loaders.piece(identifier))?.components ?? [];
        return componentViews(components, { ...view.scope, definitions });
      },
    },
  }),
  contentChunk: () => ({
    chunks: {
      type: listOf(listOf(Component)),
      resolve(source) {
        const scope = scopeInside(source, (own) => own.config?.contentChunk?.components);
        const { chunks } = source.view.value as { chunks: NestableContent[][] };
        return Promise.all(chunks.map((chunk) => componentViews(chunk, scope)));
      },
    },
  }),
  componentChoice: () => ({
    selectedComponent: {
      type: Component,
      resolve: async (source) => {
        const scope = scopeInside(source, (own) => own.config?.componentChoice?.choices);
        return (await componentViews([source.view.value as NestableContent], scope))[0];
      },
    },
  }),
  componentMultipleChoice: () => ({
    selectedComponents: {
      type: listOf(Component),
      resolve: (source) =>
        componentViews(
          source.view.value as NestableContent[],
          scopeInside(source, (own) => own.config?.componentMultipleChoice?.choices),
        ),
    },
  }),
  images: () => mediaList("images"),
  videos: () => mediaList("videos"),
  files: () => mediaList("files"),
};

const scopeInside = (
  { view }: ContentSource,
  definitions: (own: ComponentDefinition) => readonly ComponentDefinition[] | undefined,
): ComponentScope => innerScope(view, definitions);

const mediaList = (type: ComponentType): Fields => ({
  [type]: { type: listOf(derivedTypes.object(elementSchema(type))), resolve: ({ view }) => view.value },
});

function contentType(type: ComponentType): GraphQLObjectType {
  const fields = structural[type];
  if (fields === undefined) return derivedTypes.object(contentSchema(type));
  const name = `${type[0]?.toUpperCase()}${type.slice(1)}ComponentContent`;
  return new GraphQLObjectType({ name, fields });
}

const contentTypes = Object.fromEntries(componentTypes.map((type) => [type, contentType(type)])) as Readonly<
  Record<ComponentType, GraphQLObjectType>
>;
