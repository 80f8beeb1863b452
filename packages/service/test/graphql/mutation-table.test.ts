import { type Intent, intentNames, payloads } from "@lading/schema";
import { type GraphQLObjectType, isObjectType, isUnionType } from "graphql";
import { describe, expect, test } from "vitest";
import { errorNames } from "../../src/errors.ts";
import { coreSchema } from "../../src/graphql/core-schema.ts";
import { type MutationShape, mutations } from "../../src/graphql/entities.ts";

describe("the table of mutations", () => {
  const schema = coreSchema();

  test("the table of mutations has a row for every intent, and for no other", () => {
    expect(Object.keys(mutations).sort()).toEqual([...intentNames].sort());
  });

  test("the language of a payload is an argument next to the input", () => {
    const rows = Object.entries(mutations) as [Intent, MutationShape][];
    const inLanguage = rows.filter(([intent, { input }]) => input && "language" in payloads[intent].shape);
    expect(inLanguage.length).toBeGreaterThan(10);
    for (const [intent, { keys }] of inLanguage) expect(keys, intent).toHaveProperty("language", "language");
  });

  test("each mutation has a union of its success and every error by name", () => {
    const fields = schema.getMutationType()?.getFields() ?? {};
    for (const { mutation, result } of Object.values(mutations)) {
      const type = fields[mutation]?.type;
      if (!isUnionType(type)) throw new Error(`${mutation} answers ${type}`);
      const [success, ...errors] = type.getTypes();
      expect(success).toBe(result.type);
      expect(errors.map(({ name }) => name)).toEqual([...Object.keys(errorNames), "GenericError"]);
    }
  });

  test("every error name has a concrete type, with the fields of BasicError", () => {
    for (const name of [...Object.keys(errorNames), "GenericError"]) {
      const type = schema.getType(name);
      expect(isObjectType(type) && type.getInterfaces().map((one) => one.name), name).toEqual(["BasicError"]);
      expect(Object.keys((type as GraphQLObjectType).getFields())).toEqual([
        "error",
        "errorName",
        "message",
        "errors",
      ]);
    }
  });
});
