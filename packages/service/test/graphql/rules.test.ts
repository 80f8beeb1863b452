import { buildSchema, type GraphQLSchema, parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { coreSchema } from "../../src/graphql/core-schema.ts";
import { lenientRules } from "../../src/graphql/validation/lenient-rules.ts";
import { ResultUnionRule } from "../../src/graphql/validation/result-union-rule.ts";

const schema = coreSchema();

const problems = (query: string, of: GraphQLSchema = schema) =>
  validate(of, parse(query), [...lenientRules, ResultUnionRule]).map(({ message }) => message);

describe("a union with errors in it", () => {
  const both = "... on BulkTaskMassOperation { id } ... on BasicError { errorName }";

  test.each([
    ["neither fragment", "__typename", ["of a success", "of BasicError"]],
    ["no fragment on an error", "... on BulkTaskMassOperation { id }", ["lacks the fragment of BasicError"]],
    ["no fragment on a success", "... on BasicError { errorName }", ["lacks the fragment of a success"]],
    [
      "only errors, of two types",
      "... on BasicError { error } ... on ValidationError { error }",
      ["of a success"],
    ],
    [
      "a success inside an error",
      "... on BasicError { error ... on BasicError { message } }",
      ["of a success"],
    ],
  ])("a union selected with %s is refused, and the message shows both fragments", (_, selection, parts) => {
    const [message = "", ...others] = problems(`query ($id: ID!) { bulkTask(id: $id) { ${selection} } }`);
    for (const part of parts) expect(message).toContain(part);
    expect(message).toContain("... on BulkTaskMassOperation { … } ... on BasicError { error errorName }");
    expect(others).toEqual([]);
  });

  test("a union is refused when a named fragment, at any depth, lacks one of both fragments", () => {
    const query = (inner: string) => `query ($id: ID!) { bulkTask(id: $id) { ...Outer } }
      fragment Outer on BulkTaskResult { ...Inner ... on BulkTaskMassOperation { id } }
      fragment Inner on BulkTaskResult { ${inner} }`;
    expect(problems(query("... on BulkTaskMassOperation { status }"))).toEqual([
      expect.stringContaining("lacks the fragment of BasicError"),
    ]);
    expect(problems(query("... on BasicError { error }"))).toEqual([]);
  });

  test("a union without both fragments is refused wherever it is, once for each field", () => {
    expect(
      problems(
        `mutation { a: deleteItem(itemId: "1") { __typename } b: deleteItem(itemId: "2") { __typename } }`,
      ),
    ).toHaveLength(2);
  });

  test.each([
    ["inline", both],
    ["in an inline fragment without a type", `... { ${both} }`],
    ["in an inline fragment on the union", `... on BulkTaskResult { ${both} }`],
    ["with a concrete error", "... on BulkTaskMassOperation { id } ... on BulkTaskNotFoundError { message }"],
  ])("a union is accepted with both fragments %s", (_, selection) => {
    expect(problems(`query ($id: ID!) { bulkTask(id: $id) { ${selection} } }`)).toEqual([]);
  });

  test("a union is accepted with named fragments on the success, the interface and the error", () => {
    const fragments =
      "fragment S on Product { id } fragment I on Item { name } fragment E on BasicError { error }";
    const query = (spread: string) => `{ product(id: "1", language: "en") { ${spread} } } ${fragments}`;
    for (const spread of ["...S ...E", "...I ...E", "...S ...I ...E"])
      expect(problems(query(spread)).filter((message) => !message.includes("never used"))).toEqual([]);
    expect(problems(query("...S ...I")).join()).toContain("lacks the fragment of BasicError");
  });

  test("a union needs no fragment on an error where its success says what failed", () => {
    const publish = (selection: string) =>
      problems(`mutation { publishItems(ids: ["1"], language: "en") { ${selection} } }`);
    expect(publish("... on PublishItemsRequest { success { itemId } }")).toEqual([]);
    expect(
      problems(`mutation { publishItem(id: "1", language: "en") { ... on PublishInfo { id } } }`),
    ).toEqual([expect.stringContaining("lacks the fragment of BasicError")]);
  });

  test("fragments that spread each other do not cause a loop", () => {
    const query = `{ product(id: "1", language: "en") { ...A } }
      fragment A on ProductResult { ...B } fragment B on ProductResult { ...A }`;
    expect(problems(query).length).toBeGreaterThan(0);
  });
});

describe("plain objects", () => {
  test("a plain object is selected directly, under its own name, and with error fragments that match nothing", () => {
    const edges = "edges { node { identifier } }";
    for (const selection of [
      edges,
      `... on ShapeConnection { ${edges} }`,
      `${edges} ... on BasicError { error }`,
    ])
      expect(problems(`{ shapes { ${selection} } }`)).toEqual([]);
    expect(problems("{ tenant { id ...E } } fragment E on ItemNotFoundError { error }")).toEqual([]);
  });

  test("a plain object refuses a fragment on another type that is not an error", () => {
    expect(problems("{ tenant { id ... on Order { id } } }")).toEqual([
      expect.stringContaining('objects of type "Tenant" can never be of type "Order"'),
    ]);
    expect(problems("{ tenant { id ...O } } fragment O on Order { id }")).toHaveLength(1);
  });
});

describe("variables", () => {
  const types = buildSchema(`
    enum Kind { a b } scalar DateTime
    input In { kind: Kind id: ID required: String! }
    type Query {
      id(v: ID!): Int  text(v: String!): Int  kind(v: Kind!): Int  at(v: DateTime): Int  number(v: Float): Int
      whole(v: Int): Int  flag(v: Boolean): Int  ids(v: [ID!]): Int  input(v: In): Int  standard(v: ID! = "x"): Int
    }`);
  const use = (declared: string, field: string) => problems(`query ($v: ${declared}) { ${field} }`, types);

  test.each([
    ["Int!", "id(v: $v)", "Int!"],
    ["Float", "whole(v: $v)", "Float"],
    ["Boolean", "text(v: $v)", "Boolean"],
    ["String", "flag(v: $v)", "String"],
    ["String", "id(v: $v)", "String"],
    ["[String]", "ids(v: $v)", "[String]"],
    ["String", "ids(v: $v)", "String"],
    ["[ID!]", "id(v: $v)", "[ID!]"],
    ["String", "input(v: {required: $v})", "String"],
  ])("a variable declared %s is refused in %s, naming both types", (declared, field, name) => {
    expect(
      use(declared, field).filter((message) => message.includes(`is declared as ${name}, but`)),
    ).toHaveLength(1);
  });

  test.each([
    ["String!", "id(v: $v)"],
    ["ID!", "text(v: $v)"],
    ["String!", "kind(v: $v)"],
    ["Kind!", "text(v: $v)"],
    ["ID", "at(v: $v)"],
    ["String", "at(v: $v)"],
    ["Int", "number(v: $v)"],
    ["[String!]!", "ids(v: $v)"],
    ['String = "x"', "id(v: $v)"],
    ["String", "standard(v: $v)"],
    ["String", 'input(v: {required: "", kind: $v, id: $v})'],
  ])("a variable declared %s is accepted in %s", (declared, field) => {
    expect(use(declared, field)).toEqual([]);
  });
});

describe("an enum", () => {
  const create = (type: string) =>
    problems(`mutation { createCustomer(input: {identifier: "c", type: ${type}}) {
      ... on Customer { identifier } ... on BasicError { error } } }`);

  test("an enum refuses a value that it does not have, as a name and as a text", () => {
    for (const type of ["robot", '"robot"', "7", "true"]) expect(create(type), type).toHaveLength(1);
  });

  test("an enum takes its values as names and as texts", () => {
    for (const type of ["individual", '"individual"', '"""organization"""', "null"])
      expect(create(type), type).toEqual([]);
  });
});
