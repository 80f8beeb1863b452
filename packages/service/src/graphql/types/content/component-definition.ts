import { type ComponentType, componentTypes, type ComponentDefinition as Definition } from "@lading/schema";
import { GraphQLNonNull, GraphQLObjectType, GraphQLString, GraphQLUnionType } from "graphql";
import type { CoreContext } from "../../context.ts";
import { stored } from "../../derive/output-types.ts";
import { componentTypeEnum, configSchema } from "../../derive/payload-parts.ts";
import { settingsOf } from "./component-settings.ts";

const text = new GraphQLNonNull(GraphQLString);

const ComponentConfig = new GraphQLUnionType({
  name: "ComponentConfig",
  description: "The settings of a component, by its type.",
  types: () => componentTypes.map(configType),
});

const configType = (type: ComponentType) => stored.object(configSchema(type));

/** A component of a shape or piece. */
export const ComponentDefinition = new GraphQLObjectType<Definition, CoreContext>({
  name: "ComponentDefinition",
  fields: {
    id: { type: text },
    name: { type: text },
    description: { type: GraphQLString },
    type: { type: new GraphQLNonNull(componentTypeEnum()) },
    config: {
      type: ComponentConfig,
      resolve: (definition) => {
        const settings = settingsOf(definition);
        return settings && { ...settings, __typename: configType(definition.type).name };
      },
    },
  },
});

stored.define("ComponentDefinition", ComponentDefinition);
