import { nodeOf, unwrapSchema } from "@lading/schema/internal";
import {
  GraphQLBoolean,
  type GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLString,
} from "graphql";
import type { CoreContext } from "../context.ts";
import { lenientEnum } from "./input-types.ts";
import { GraphQLDateTime, GraphQLJson } from "./scalars.ts";

/** A schema of a payload or of a part of one. */
export type ZodSchema = Parameters<typeof nodeOf>[0];

/** Schema ids with a different GraphQL name, kept for existing clients. */
const inputNames: Readonly<Record<string, string>> = {
  ComponentContent: "Component",
  ComponentDefinitionType: "ComponentType",
  FlowItem: "ItemFlowStageAssociation",
  ModifyProductVariantPriceTierType: "PriceTierType",
  PriceVariantPriceTierType: "PriceTierType",
  SubscriptionPlanPhaseUnit: "SubscriptionPeriodUnit",
};

const inputObjects = new WeakMap<ZodSchema, GraphQLInputObjectType>();
const enums = new WeakMap<ZodSchema, GraphQLEnumType>();

/**
 * The GraphQL input type of a schema of the plain form. Objects are named by their `meta().id` and `Input`; an object
 * or enum without an id by `name`, derived from its location. One type per schema, so recursion ends.
 */
export function inputType(schema: ZodSchema, name: string): GraphQLInputType {
  const { schema: bare, nullable } = unwrapSchema(schema);
  const type = bareInputType(bare, name);
  return nullable ? type : new GraphQLNonNull(type);
}

function bareInputType(
  schema: ZodSchema,
  name: string,
): GraphQLInputObjectType | GraphQLList<GraphQLInputType> | Leaf {
  const node = nodeOf(schema);
  if (node.kind === "list") return new GraphQLList(inputType(node.element, name));
  if (node.kind !== "object") return leafType(schema, name);
  let object = inputObjects.get(schema);
  if (object === undefined) {
    const base = schema.meta()?.id ?? name;
    object = inputObject(`${inputNames[base] ?? base}Input`, base, schema);
    inputObjects.set(schema, object);
  }
  return object;
}

/** An input type with the fields of an object schema, except those omitted. */
export function inputObject(
  typeName: string,
  base: string,
  schema: ZodSchema,
  without: readonly string[] = [],
): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name: typeName,
    description: schema.description ?? null,
    fields: () => {
      const fields = Object.entries(fieldsOf(schema)).filter(([field]) => !without.includes(field));
      return Object.fromEntries(
        fields.map(([field, member]) => [field, { type: inputType(member, nameUnder(base, field)) }]),
      );
    },
  });
}

/** The fields of an object schema, by name. */
export function fieldsOf(schema: ZodSchema): Readonly<Record<string, ZodSchema>> {
  const node = nodeOf(schema);
  if (node.kind !== "object") throw new Error(`a schema of the kind "${node.kind}" has no fields`);
  return node.fields;
}

// biome-ignore lint/suspicious/noExplicitAny: fields of many sources; each resolver names its own
export type Fields = GraphQLFieldConfigMap<any, CoreContext>;

type Leaf = GraphQLScalarType | GraphQLEnumType;

/** The scalar or enum of a schema that is neither an object nor a list; an enum is named at its first use. */
export function leafType(schema: ZodSchema, name: string): Leaf {
  const node = nodeOf(schema);
  if (node.kind === "string") return stringTypes[schema.meta()?.id ?? ""] ?? GraphQLString;
  if (node.kind === "number") return node.integer ? GraphQLInt : GraphQLFloat;
  if (node.kind === "boolean") return GraphQLBoolean;
  if (node.kind === "unknown") return GraphQLJson;
  if (node.kind !== "choice")
    throw new Error(`${name}: a zod schema of type "${schema.def.type}" has no GraphQL type yet`);
  let choice = enums.get(schema);
  if (choice === undefined) {
    choice = lenientEnum(inputNames[name] ?? name, [...node.values].map(String));
    enums.set(schema, choice);
  }
  return choice;
}

const stringTypes: Readonly<Record<string, GraphQLScalarType>> = { Id: GraphQLID, DateTime: GraphQLDateTime };

const nameUnder = (base: string, field: string) =>
  `${base.replace(/^(Create|Update|Upsert|Register)/, "")}${field[0]?.toUpperCase()}${field.slice(1)}`;

/** Fields of derived output types, by the id of the schema. */
export type FieldsById = Readonly<Record<string, () => Fields>>;

/** The differences between derived output types and their schemas. */
export interface OutputDifferences {
  /** Fields added to, or replacing, those of the schema. */
  extra?: FieldsById;
  /** Fields that replace all of the schema's. */
  instead?: FieldsById;
}

/** Makes the GraphQL output types of schemas, for values that are stored as they were given. */
export class OutputTypes {
  readonly #nameOf: (id: string) => string;
  readonly #objects = new Map<string, GraphQLObjectType>();
  #differences: OutputDifferences = {};

  /** @param nameOf the GraphQL name of the schema with this id */
  constructor(nameOf: (id: string) => string) {
    this.#nameOf = nameOf;
  }

  /**
   * Sets how types differ from their schemas. Call it before the GraphQL schema is built: that's when the types get
   * their fields, and some extra fields contain derived types.
   */
  differ(differences: OutputDifferences): void {
    this.#differences = differences;
  }

  /** The type of an object schema, which needs an id. */
  object(schema: ZodSchema): GraphQLObjectType {
    const id = schema.meta()?.id;
    if (id === undefined) throw new Error("an output type is named by the id of its schema, which has none");
    let object = this.#objects.get(id);
    if (object === undefined) {
      object = new GraphQLObjectType({ name: this.#nameOf(id), fields: () => this.#fieldsOf(schema, id) });
      this.#objects.set(id, object);
    }
    return object;
  }

  #fieldsOf(schema: ZodSchema, id: string): Fields {
    const { extra, instead } = this.#differences;
    return instead?.[id]?.() ?? { ...this.fields(schema, id), ...extra?.[id]?.() };
  }

  /** The fields of an object schema, for a type that adds others; `base` prefixes the names of its enums. */
  fields(schema: ZodSchema, base: string): Fields {
    const entries = Object.entries(fieldsOf(schema));
    return Object.fromEntries(
      entries.map(([field, member]) => [field, { type: this.#type(member, nameUnder(base, field)) }]),
    );
  }

  #type(schema: ZodSchema, name: string): GraphQLOutputType {
    const { schema: bare, nullable } = unwrapSchema(schema);
    const type = this.#bareType(bare, name);
    return nullable ? type : new GraphQLNonNull(type);
  }

  #bareType(schema: ZodSchema, name: string): GraphQLObjectType | GraphQLList<GraphQLOutputType> | Leaf {
    const node = nodeOf(schema);
    if (node.kind === "list") return new GraphQLList(this.#type(node.element, name));
    return node.kind === "object" ? this.object(schema) : leafType(schema, name);
  }
}
