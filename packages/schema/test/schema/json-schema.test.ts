import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { intentNames, massOperationJsonSchema } from "../../src/index.ts";
import { jsonSchemaFile, massOperationJsonSchemaText } from "../../src/operation/json-schema.ts";

interface Definition {
  description?: string;
  required?: string[];
  properties?: Record<string, unknown>;
}

const schema = massOperationJsonSchema() as { definitions: Record<string, Definition>; required: string[] };
const definition = (name: string) => schema.definitions[name] ?? expect.fail(`no definition of ${name}`);

describe("the JSON Schema of a mass operation file", () => {
  it("the shipped JSON Schema is up to date: after a change, run `npm run generate`", async () => {
    const shipped = await readFile(jsonSchemaFile, "utf8");
    expect(shipped).toBe(massOperationJsonSchemaText());
  });

  it("the JSON Schema defines everything it refers to", () => {
    const references = JSON.stringify(schema).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g);
    const names = [...references].map(([, name]) => name!.replaceAll("~1", "/"));
    expect(names.filter((name) => !(name in schema.definitions))).toEqual([]);
    expect(names.length).toBeGreaterThan(100);
  });

  it("the JSON Schema requires a version and operations", () => {
    expect(schema.required).toEqual(["version", "operations"]);
  });

  it.each(intentNames)("the JSON Schema describes %s", (intent) => {
    const { description, properties, required } = definition(intent);
    expect(description).toMatch(/^[A-Z]/);
    expect(properties?.intent).toMatchObject({ const: intent });
    expect(required).toContain("intent");
  });

  it("the JSON Schema describes what is written, not what it is parsed to", () => {
    expect(definition("ComponentDefinition").required).toEqual(["id", "type"]);
    expect(definition("ComponentDefinition").properties).toHaveProperty("singleLine");
    expect(definition("RichTextContent").properties?.html).toMatchObject({
      anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }],
    });
  });

  it("the JSON Schema lets any scalar be a template", () => {
    const { quantity, operation } = definition("product/variant/stock/modify").properties ?? {};
    const template = { $ref: "#/definitions/Template" };
    expect(quantity).toMatchObject({ anyOf: [{ type: "integer", minimum: 0 }, template] });
    expect(operation).toMatchObject({ anyOf: [{ enum: ["decrease", "increase", "overwrite"] }, template] });
  });
});
