import {
  type ComponentType,
  componentTypes,
  type ComponentDefinition as Definition,
} from "@lading/schema/internal";
import { GraphQLNonNull, GraphQLString, GraphQLUnionType } from "graphql";
import type { FieldsById } from "../../derive/from-zod.ts";
import { text } from "../../derive/non-null.ts";
import { derivedTypes } from "../../derive/output-types.ts";
import { componentTypeEnum, configSchema, definitionSchema } from "../../derive/payload-parts.ts";

const ComponentConfig = new GraphQLUnionType({
  name: "ComponentConfig",
  description: "The settings of a component, by its type.",
  types: () => componentTypes.map(configType),
});

const configType = (type: ComponentType) => derivedTypes.object(configSchema(type));

/** A component of a shape or piece. */
export const ComponentDefinition = derivedTypes.object(definitionSchema);

/** The fields of a definition, whose output form differs from its input form. */
export const definitionFields: FieldsById = {
  ComponentDefinition: () => ({
    id: { type: text },
    name: { type: text },
    description: { type: GraphQLString },
    type: { type: new GraphQLNonNull(componentTypeEnum()) },
    config: {
      type: ComponentConfig,
      resolve: (definition: Definition) => {
        const settings = settingsOf(definition);
        return settings && { ...settings, __typename: configType(definition.type).name };
      },
    },
  }),
};

/** Settings that existing clients read without checking that the component has any. */
const expected: { readonly [T in ComponentType]?: object } = {
  contentChunk: { repeatable: false },
  itemRelations: {},
};

/** A component's settings in the type of its own, complete enough for existing clients; undefined when it has none. */
export function settingsOf({ type, config }: Definition): object | undefined {
  const [own, always] = [config?.[type], expected[type]];
  return own || always ? { ...always, ...own } : undefined;
}
