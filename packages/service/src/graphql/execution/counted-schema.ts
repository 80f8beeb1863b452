import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  OperationTypeNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from "graphql";
import type { AnswerCounter } from "./answer-counter.ts";

/** The counters of answers in progress, by request context. */
const counters = new WeakMap<object, AnswerCounter>();

/** Counts what fields answer in this context; needs a schema of `countedSchema`. */
export const countAnswer = (context: object, counter: AnswerCounter) => counters.set(context, counter);

/** Counts rows read to answer a field, by the length of their texts. */
export function countRead(context: object, info: GraphQLResolveInfo, rows: readonly unknown[]): void {
  counters.get(context)?.read(rootFieldOf(info), charactersIn(rows));
}

/** Fields already wrapped: schemas share types, and all share those of introspection. */
const counted = new WeakSet<object>();

/**
 * The same schema with fields that count what they answer under `countAnswer`, including introspection and
 * `__typename`.
 */
export function countedSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const meta of [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef]) count(meta);
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type)) for (const field of Object.values(type.getFields())) count(field);
  return schema;
}

function count(field: GraphQLField<unknown, object>): void {
  if (counted.has(field)) return;
  counted.add(field);
  field.resolve = counting(field.type, field.resolve ?? defaultFieldResolver);
}

type Resolver = GraphQLFieldResolver<unknown, object>;

function counting(type: GraphQLOutputType, resolve: Resolver): Resolver {
  const isLeaf = isLeafType(getNamedType(type));
  return (source, given, context, info) => {
    const counter = counters.get(context);
    if (counter === undefined) return resolve(source, given, context, info);
    const field = rootFieldOf(info);
    const take = (value: unknown) =>
      isLeaf ? takeLeaf(value, field, counter) : takeObjects(value, field, counter);
    const run = () => {
      // Plus its quotes, the colon and the comma.
      const isWithin = counter.add(field, 1, String(info.path.key).length + 4);
      return isWithin ? resolve(source, given, context, info) : endOf(counter);
    };
    const result = counter.large && isRootOfQuery(info) ? counter.oneByOne(run) : run();
    return result instanceof Promise ? result.then(take) : take(result);
  };
}

const isRootOfQuery = ({ path, operation }: GraphQLResolveInfo) =>
  path.prev === undefined && operation.operation === OperationTypeNode.QUERY;

/** The root field a field is within, by its response name. */
function rootFieldOf({ path }: GraphQLResolveInfo): string {
  let index = path;
  while (index.prev !== undefined) index = index.prev;
  return String(index.key);
}

function takeLeaf(value: unknown, field: string, counter: AnswerCounter): unknown {
  const entries = Array.isArray(value) ? value.length : 0;
  return counter.add(field, entries, JSON.stringify(value)?.length ?? 4) ? value : endOf(counter);
}

/**
 * The value of a field once the answer was ended: a rejection, never a thrown error. An error thrown while walking a
 * list would leave the promises of its first entries unhandled, and an unhandled rejection ends the process.
 */
const endOf = ({ ended }: AnswerCounter) => Promise.reject(ended?.error);

/** Counts the entries of a list, and resolves them with yields if the answer is large. */
function takeObjects(value: unknown, field: string, counter: AnswerCounter): unknown {
  const list = Array.isArray(value) ? value : undefined;
  const entries = list?.length ?? 0;
  if (!counter.add(field, entries, 3 * entries)) return endOf(counter);
  return list === undefined ? value : counter.yielding(list);
}

/** The approximate number of characters in the texts of a value. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let characters = 0;
  for (const member of Object.values(value)) characters += charactersIn(member);
  return characters;
}
