import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { defaultFirst } from "../../packages/service/src/graphql/types/connection.ts";
import { selectionOf } from "../support/generated/selection.ts";
import { ids, own } from "../support/parity/words.ts";
import { loggedTask } from "./filled-tenant.ts";

/** A query of a root field, named after its arguments. */
export interface ReadQuery {
  readonly name: string;
  readonly query: string;
}

/** Fields that are counted, which no other query selects. */
const counted = ["totalCount", "childCount", "position", "usage"];

/** Entries of each page. */
const first = 3;

/** Values of arguments by the path to them, of which the first that fits counts: they name what much belongs to. */
const values: readonly (readonly [path: RegExp, value: unknown])[] = [
  [/^items language$/, ["en", "no"]],
  [/ language$|^language code$/, "en"],
  [/ stageIdentifier$/, "todo"],
  [/^vatType id$/, own.vatType],
  [/^pipeline id$/, ids.pipelines[0]],
  [/^(folder|item) id$| parentItemId$/, ids.folders[0]],
  [/^document id$/, ids.documents[0]],
  [/^product id$| productId$/, ids.products[0]],
  [/^order id$/, ids.orders[0]],
  [/^topic id$|^topics filter parentId$/, ids.topics[0]],
  [/^subscriptionContract id$/, ids.contracts[0]],
  [/^bulkTask id$| operationId$| taskId$| subjectId$/, loggedTask],
  [/^(shape|items filter shapeIdentifier) ?\w*$/, "product"],
  [/^priceVariant |^stockLocation /, "default"],
  [/^market /, "eu"],
  [/^subscriptionPlan | subscriptionPlanIdentifier$/, "coffee"],
  [/^piece /, "seo"],
  [/^customerGroup /, "vip"],
  [/^customer identifier$| customerIdentifier$|customer identifier$/, "ada"],
  [/^flow /, "work"],
  [/^priceList /, "spring"],
  [
    /^(folder|item|document|product|items|images|image|order|topic|topics|subscriptionContract) .*resourceIdentifiers?$/,
    "res-0",
  ],
  [/ externalReferences?$/, "ext-0"],
  [/ externalReference key$/, "erp"],
  [/ externalReference value$/, "1"],
  [/ skus?$/, "shoe"],
  [/ email$/, "c2@example.com"],
  [/ meta key$/, "source"],
  [/ meta value$/, "web"],
  [/^topic path$/, "/topic-20"],
  [/ mimeType$/, "image/svg+xml"],
  [/ sha256$/, "0".repeat(64)],
  [/^image key$/, own.image],
  [/ hours$/, 24],
  [/ held$| unrepaired$/, true],
  [/ (createdFrom|createdBefore)$/, "2026-01-01T00:00:00Z"],
  [/^auditTrail filter action$/, "tenant.created"],
  [/ operationTypeStartsWith$/, "item"],
  [/ errorName$/, "ItemNotFoundError"],
  [/ statusCode$/, 409],
  [/ cause$/, "Another cause"],
  [/^(bulkTasks|operationLogs) filter text$/, "nowhere"],
  [/^search text$/, ["nowhere", "item"]],
  [/^tenant identifier$/, null],
];

const pageArguments = ["first", "after", "last", "before"];

/** Literals of arguments, by name. */
type Passed = Readonly<Record<string, string>>;

/**
 * Every query of a schema: each root field with what it requires and with one optional argument more, of an input
 * object one optional field at a time, each together with each value of its enums. A list is read as a short page with
 * all its fields but those that count, and as whole pages from both ends, for which the planner has other reasons.
 * Fields that count are read on their own. With `isShort` an enum has only its last value, and lists are read once.
 */
export function readQueries(schema: GraphQLSchema, isShort: boolean): ReadQuery[] {
  return Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) =>
    queriesOf(schema, field, isShort),
  );
}

function queriesOf(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
  isShort: boolean,
): ReadQuery[] {
  const select = (omitted: readonly string[]) => selectionOf(schema, field.type, { first, omitted });
  const make = (passed: Passed, what = "", selection = select(counted)): ReadQuery => {
    const list = Object.entries(passed).map(([name, value]) => `${name}: ${value}`);
    const given = list.length > 0 ? `(${list.join(", ")})` : "";
    return { name: `${field.name}${given}${what}`, query: `{ it: ${field.name}${given} ${selection} }` };
  };
  const has = (name: string) => field.args.some((argument) => argument.name === name);
  const selected = (name: string) => new RegExp(`\\b${name}\\b`).test(select([]));
  const cursors = only("edges { cursor }", select(counted));
  return choicesOf(field, isShort).flatMap((passed, i) => [
    ...(has("first") ? [make(passed, "", cursors)] : [make(passed)]),
    ...(has("first") && (i === 0 || !isShort) ? [make({ ...passed, first: String(first) })] : []),
    ...(has("last") && !isShort ? [make({ ...passed, last: String(defaultFirst) }, "", cursors)] : []),
    ...(selected("totalCount") && !isShort
      ? [make(passed, " totalCount", only("totalCount", select([])))]
      : []),
    ...(has("first") || isShort ? [] : counted.slice(1))
      .filter(selected)
      .map((name) => make(passed, ` ${name}`, select(counted.filter((other) => other !== name)))),
  ]);
}

function choicesOf(field: GraphQLField<unknown, unknown>, isShort: boolean): Passed[] {
  const choices = field.args
    .filter(({ name }) => !pageArguments.includes(name))
    .map(({ name, type, defaultValue }) => ({
      name,
      variants: variantsOf(type, [field.name, name], isShort && !isEnumType(type)),
      isCombined: isNonNullType(type) || isEnumType(type),
      isGiven: isNonNullType(type) || defaultValue !== undefined,
    }));
  const withEach = (all: readonly Passed[], { name, variants }: (typeof choices)[number]) =>
    all.flatMap((passed) => variants.map((value) => ({ ...passed, [name]: value })));
  const combined = choices
    .filter(({ isCombined }) => isCombined)
    .reduce<Passed[]>((all, choice) => [...(choice.isGiven ? [] : all), ...withEach(all, choice)], [{}]);
  return [
    ...combined,
    ...choices.filter(({ isCombined }) => !isCombined).flatMap((one) => withEach(combined, one)),
  ];
}

/** The selection of a list reduced to some of its fields. */
const only = (fields: string, selection: string): string =>
  /\.\.\. on \w+Connection /.test(selection)
    ? selection.replace(/(\.\.\. on \w+Connection) .*/, `$1 { ${fields} } }`)
    : `{ ${fields} }`;

/** The literals to pass for an argument of a type. */
function variantsOf(type: GraphQLInputType, path: readonly string[], isShort: boolean): string[] {
  if (isNonNullType(type)) return variantsOf(type.ofType, path, isShort);
  if (isListType(type)) return variantsOf(type.ofType, path, isShort).map((value) => `[${value}]`);
  if (isEnumType(type))
    return type
      .getValues()
      .slice(isShort ? -1 : 0)
      .map(({ name }) => name);
  if (!isInputObjectType(type)) return valuesAt(path).map((value) => JSON.stringify(value));
  const fields = Object.values(type.getFields());
  const variantsIn = ({ name, type }: GraphQLInputField) =>
    variantsOf(type, [...path, name], isShort).map((value) => `${name}: ${value}`);
  const required = fields.filter(({ type }) => isNonNullType(type)).map((field) => variantsIn(field)[0]!);
  const optional = fields.filter(({ type }) => !isNonNullType(type)).flatMap(variantsIn);
  return [...(required.length > 0 ? [""] : []), ...optional].map(
    (one) => `{${[...required, one].filter(Boolean).join(", ")}}`,
  );
}

function valuesAt(path: readonly string[]): unknown[] {
  const row = values.find(([pattern]) => pattern.test(path.join(" ")));
  if (row === undefined)
    throw new Error(`the guard has no value for ${path.join(" ")}; add it to test/guards/list-queries.ts`);
  return [row[1]].flat();
}
