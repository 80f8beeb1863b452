import { byKey, type ComponentType, componentTypes } from "@lading/schema/internal";
import {
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
} from "graphql";
import type { CoreContext } from "../../context.ts";
import { listOf, text } from "../../derive/non-null.ts";
import { derivedTypes } from "../../derive/output-types.ts";
import { componentTypeEnum, contentSchema, elementSchema } from "../../derive/payload-parts.ts";
import { type ComponentView, componentViews, definitionOf, innerScope } from "./component-view.ts";

const ComponentContentUnion = new GraphQLUnionType({
  name: "ComponentContent",
  description: "The content of a component, by its type.",
  types: () => componentTypes.map((type) => contentTypes[type]),
});

/** A component of an item or a variant that has content. */
export const Component: GraphQLObjectType<ComponentView, CoreContext> = new GraphQLObjectType({
  name: "Component",
  fields: () => ({
    componentId: { type: text },
    name: { type: GraphQLString, resolve: async (view) => (await definitionOf(view))?.name },
    type: { type: new GraphQLNonNull(componentTypeEnum()) },
    content: { type: new GraphQLNonNull(ComponentContentUnion), resolve: contentSource },
  }),
});

/** The source of a content type's resolvers: the content's own fields, and the component that has it. */
export interface ContentSource<Type extends ComponentType = ComponentType> {
  __typename: string;
  view: ComponentView<Type>;
}

const contentSource = (view: ComponentView): ContentSource =>
  Object.assign({}, view.value, { __typename: contentTypes[view.type].name, view });

type Fields<Type extends ComponentType> = GraphQLFieldConfigMap<ContentSource<Type>, CoreContext>;

/** Fields of contents that consist of components or media: they differ from what is stored. */
const structural: { readonly [Type in ComponentType]?: () => Fields<Type> } = {
  piece: () => ({
    identifier: { type: text },
    components: {
      type: listOf(Component),
      resolve({ view }, _, { loaders }) {
        const { identifier = "", components } = view.value ?? {};
        const definitions = async () => (await loaders.piece(identifier))?.components ?? [];
        return componentViews(components, { ...view.scope, definitions });
      },
    },
  }),
  contentChunk: () => ({
    chunks: {
      type: listOf(listOf(Component)),
      resolve({ view }) {
        const scope = innerScope(view, (own) => own.config?.contentChunk?.components);
        return Promise.all((view.value?.chunks ?? []).map((chunk) => componentViews(chunk, scope)));
      },
    },
  }),
  componentChoice: () => ({
    selectedComponent: {
      type: Component,
      async resolve({ view }) {
        const scope = innerScope(view, (own) => own.config?.componentChoice?.choices);
        return (await componentViews(view.value && [view.value], scope))[0];
      },
    },
  }),
  componentMultipleChoice: () => ({
    selectedComponents: {
      type: listOf(Component),
      resolve: ({ view }) =>
        componentViews(
          view.value,
          innerScope(view, (own) => own.config?.componentMultipleChoice?.choices),
        ),
    },
  }),
  images: () => mediaList("images"),
  videos: () => mediaList("videos"),
  files: () => mediaList("files"),
};

const mediaList = <Type extends ComponentType>(type: Type): Fields<Type> => ({
  [type]: {
    type: listOf(derivedTypes.object(elementSchema(type))),
    resolve: ({ view }: ContentSource) => view.value,
  },
});

function contentType<Type extends ComponentType>(type: Type): GraphQLObjectType {
  const fields: (() => Fields<Type>) | undefined = structural[type];
  if (fields === undefined) return derivedTypes.object(contentSchema(type));
  const name = `${type[0]?.toUpperCase()}${type.slice(1)}ComponentContent`;
  return new GraphQLObjectType<ContentSource<Type>, CoreContext>({ name, fields });
}

const contentTypes: Readonly<Record<ComponentType, GraphQLObjectType>> = byKey(componentTypes, contentType);
