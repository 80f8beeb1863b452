import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { selectionOf } from "./selection.ts";

/** The body of a request: a document and its variables. */
export interface Call {
  query: string;
  variables: Record<string, unknown>;
}

/** A position in the arguments of a field that takes a key, such as `["input", "tree", "parentId"]`. */
export type Leaf = readonly string[];

type Kind = "query" | "mutation" | "subscription";

export interface Callable {
  kind: Kind;
  name: string;
  /** The positions that name something stored, or a position in a list, or those that were asked for. */
  leaves: readonly Leaf[];
  /** True if it takes `ifUnchangedSince`. */
  isConditional: boolean;
  /**
   * Calls the field once for each value, all in one document: the value is at the leaf, and wherever else a key must be
   * and `own` has none; without a leaf it is at all of them. What is optional and no leaf is left out. A subscription,
   * which has one field, is called for the first value.
   */
  call(values: readonly unknown[], leaf?: Leaf, own?: (name: string) => string | undefined): Call;
}

/** Tells whether a field or argument is a leaf, by its type's name and its own. */
type IsLeaf = (typeName: string, name: string) => boolean;

const keyLike = /(?:^|[a-z])(?:ids?|identifiers?|skus?|keys?|after|cursor|references?)$/i;

/** The depth to which input objects are searched for keys. */
const inputDepth = 3;

/** Fields that are not searched for keys: content, and pairs of a name and a value. */
const content =
  /^(?:components|variantComponents|component\w*Choice|contentChunk|piece|videos|showcase|meta|addresses|config)$/;

/** Values of texts that are not keys, by the name of the field. */
const plausible: Readonly<Record<string, string>> = {
  language: "en",
  currency: "EUR",
  contentType: "application/json",
  email: "ann@shop.example",
};

const scalars: Readonly<Record<string, unknown>> = {
  Boolean: true,
  JSON: {},
  DateTime: "2030-01-01T00:00:00Z",
};

const isKey: IsLeaf = (typeName, name) => isText(typeName) && keyLike.test(name);

/** Every root field whose answer is one document; derived, so that a field that is added is called too. */
export const callables = (schema: GraphQLSchema, isLeaf = isKey): Callable[] => [
  ...callablesOf("query", schema, schema.getQueryType(), isLeaf),
  ...callablesOf("mutation", schema, schema.getMutationType(), isLeaf),
];

/** As `callables`, with those whose answer is a stream. */
export const withStreams = (schema: GraphQLSchema): Callable[] => [
  ...callables(schema),
  ...callablesOf("subscription", schema, schema.getSubscriptionType(), isKey),
];

const callablesOf = (
  kind: Kind,
  schema: GraphQLSchema,
  type: GraphQLObjectType | null | undefined,
  isLeaf: IsLeaf,
) => Object.values(type?.getFields() ?? {}).map((field) => callable(schema, kind, field, isLeaf));

/** A conditional mutation, called with `ifUnchangedSince`. */
export const withCondition = (field: Callable, time: string): Callable => ({
  ...field,
  call(...given) {
    const { query, variables } = field.call(...given);
    const condition = `: ${field.name}(ifUnchangedSince: "${time}", `;
    return { query: query.replaceAll(`: ${field.name}(`, condition), variables };
  },
});

function callable(
  schema: GraphQLSchema,
  kind: Kind,
  field: GraphQLField<unknown, unknown>,
  isLeaf: IsLeaf,
): Callable {
  const selection = selectionOf(schema, field.type);
  const leaves = field.args.flatMap((argument) => leavesOf(argument, [], isLeaf));
  return {
    ...{ kind, name: field.name, leaves },
    isConditional: field.args.some(({ name }) => name === "ifUnchangedSince"),
    call(all, leaf, own = () => undefined) {
      const values = kind === "subscription" ? all.slice(0, 1) : all;
      const filled = leaf === undefined ? leaves : [leaf];
      const given = field.args.filter(
        ({ name, type }) => isNonNullType(type) || filled.some(([first]) => first === name),
      );
      const declared = values.flatMap((_, i) => given.map(({ name, type }) => `$${name}_${i}: ${type}`));
      const calls = values.map((_, i) => {
        const passed = given.map(({ name }) => `${name}: $${name}_${i}`).join(", ");
        return `_${i}: ${field.name}${passed && `(${passed})`} ${selection}`;
      });
      const variables = values.flatMap((key, i) =>
        given.map(({ name, type }) => [
          `${name}_${i}`,
          filledValue({ key, filled, own }, type, [name], inputDepth + 1),
        ]),
      );
      const head = declared.length > 0 ? ` (${declared.join(", ")})` : "";
      return { query: `${kind}${head} { ${calls.join(" ")} }`, variables: Object.fromEntries(variables) };
    },
  };
}

function leavesOf({ name, type }: GraphQLArgument | GraphQLInputField, above: Leaf, isLeaf: IsLeaf): Leaf[] {
  const path = [...above, name];
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return isLeaf(named.name, name) ? [path] : [];
  if (path.length >= inputDepth || content.test(name)) return [];
  return Object.values(named.getFields()).flatMap((field) => leavesOf(field, path, isLeaf));
}

const isText = (typeName: string) => typeName === "ID" || typeName === "String";

interface Filling {
  key: unknown;
  filled: readonly Leaf[];
  own(name: string): string | undefined;
}

/** The value at a path: the key where it is to be, else what is plausible. */
function filledValue(filling: Filling, type: GraphQLInputType, path: Leaf, depth: number): unknown {
  if (isNonNullType(type)) return filledValue(filling, type.ofType, path, depth);
  if (isListType(type)) return depth < 0 ? [] : [filledValue(filling, type.ofType, path, depth - 1)];
  const isFilled = filling.filled.some((leaf) => leaf.length === path.length && begins(leaf, path));
  if (isFilled) return filling.key;
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const leads = (name: string) => filling.filled.some((leaf) => begins(leaf, [...path, name]));
    const fields = Object.values(type.getFields()).filter(
      ({ name, type }) => (isNonNullType(type) && depth > -4) || leads(name),
    );
    const entries = fields.map(({ name, type }) => [
      name,
      filledValue(filling, type, [...path, name], depth - 1),
    ]);
    return Object.fromEntries(entries);
  }
  const name = path.at(-1)!;
  if (!isText(type.name)) return scalars[type.name] ?? 1;
  if (!keyLike.test(name)) return plausible[name] ?? "text";
  return filling.own(name) ?? (typeof filling.key === "string" ? filling.key : "text");
}

const begins = (leaf: Leaf, path: Leaf) => path.every((part, i) => leaf[i] === part);
