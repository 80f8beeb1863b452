import { type ComponentType, componentTypes, type ComponentDefinition as Definition } from "@lading/schema";
import { GraphQLNonNull, GraphQLString, GraphQLUnionType } from "graphql";
import type { FieldsById } from "../../derive/from-zod.ts";
import { text } from "../../derive/non-null.ts";
import { derivedTypes } from "../../derive/output-types.ts";
import { componentTypeEnum, configSchema, definitionSchema } from "../../derive/payload-parts.ts";
import { settingsOf } from "./component-settings.ts";

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
