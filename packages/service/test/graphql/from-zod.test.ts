import { type GraphQLInputObjectType, GraphQLSchema, GraphQLString, getNamedType, printType } from "graphql";
import { expect, test } from "vitest";
import { z } from "zod";
import { inputType, OutputTypes, type ZodSchema } from "../../src/graphql/derive/from-zod.ts";

const printed = (schema: ZodSchema, name = "Top") => printType(getNamedType(inputType(schema, name)));

test("a schema without a GraphQL type is refused with its path", () => {
  const type = inputType(z.object({ when: z.object({ at: z.date() }) }), "Top") as {
    ofType: GraphQLInputObjectType;
  };
  const inner = getNamedType(type.ofType.getFields().when!.type) as GraphQLInputObjectType;
  expect(() => inner.getFields()).toThrow('TopWhenAt: a zod schema of type "date" has no GraphQL type yet');
  expect(() => new OutputTypes(String).object(z.object({}))).toThrow("named by the id of its schema");
});

test("an optional or nullable schema becomes a nullable type, and each scalar has its type", () => {
  const schema = z.object({
    id: z.string().meta({ id: "Id" }),
    at: z.string().meta({ id: "DateTime" }).nullish(),
    text: z.string().min(1),
    whole: z.int().optional(),
    number: z.number().nullable(),
    flag: z.boolean(),
    any: z.unknown().optional(),
    list: z.array(z.array(z.string())),
    oneOrMany: z.preprocess((value) => [value], z.array(z.string())),
  });
  expect(printed(schema)).toBe(
    [
      "input TopInput {",
      "  id: ID!",
      "  at: DateTime",
      "  text: String!",
      "  whole: Int",
      "  number: Float",
      "  flag: Boolean!",
      "  any: JSON",
      "  list: [[String!]!]!",
      "  oneOrMany: [String!]!",
      "}",
    ].join("\n"),
  );
});

test("objects are named by their ids, and one schema is one type", () => {
  const part = z.object({ text: z.string() }).meta({ id: "Part" });
  const type = getNamedType(
    inputType(z.object({ one: part, many: z.array(part).nullish() }), "Whole"),
  ) as GraphQLInputObjectType;
  const { one, many } = type.getFields();
  expect(`${one?.type} ${many?.type}`).toBe("PartInput! [PartInput!]");
  expect(getNamedType(one!.type)).toBe(getNamedType(many!.type));
});

test("a schema that contains itself becomes a type that contains itself", () => {
  const node = z
    .object({
      name: z.string(),
      get children(): z.ZodOptional<z.ZodArray<z.ZodType>> {
        return z.array(node).optional();
      },
    })
    .meta({ id: "Node" });
  expect(printed(node)).toContain("children: [NodeInput!]");
  const output = new OutputTypes((id) => `${id}Output`).object(node);
  expect(printType(output)).toContain("children: [NodeOutput!]");
});

test("an enum is named by its path, the same for input and output", () => {
  const kind = z.enum(["a", "b"]);
  const schema = z.object({ kind, other: kind.nullish() }).meta({ id: "Kinded" });
  const input = getNamedType(inputType(schema, "X")) as GraphQLInputObjectType;
  const output = new OutputTypes(String).object(schema);
  const types = [input.getFields().kind, input.getFields().other, output.getFields().kind];
  expect(new Set(types.map((field) => getNamedType(field!.type))).size).toBe(1);
  expect(String(input.getFields().kind?.type)).toBe("KindedKind!");
});

test("output types are extended and replaced before the GraphQL schema is built", () => {
  const types = new OutputTypes((id) => `The${id}`);
  const inner = z.object({ text: z.string() }).meta({ id: "Inner" });
  const outer = z
    .object({ inner, replaced: z.object({ x: z.string() }).meta({ id: "Replaced" }) })
    .meta({ id: "Outer" });
  const type = types.object(outer);
  types.differ({
    extra: { Inner: () => ({ shout: { type: GraphQLString } }) },
    instead: { Replaced: () => ({ y: { type: GraphQLString } }) },
  });
  const schema = new GraphQLSchema({ query: type });
  expect(printType(schema.getType("TheInner")!)).toContain("shout: String");
  expect(String(type.getFields().replaced?.type)).toBe("TheReplaced!");
  expect(printType(schema.getType("TheReplaced")!)).toBe("type TheReplaced {\n  y: String\n}");
});
