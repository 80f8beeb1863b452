import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { conversionMapJsonSchemaText, conversionMapSchemaFile } from "../../src/conversion/map-schema.ts";

test("the shipped JSON Schema of maps is up to date: after a change, run `npm run generate`", async () => {
  expect(await readFile(conversionMapSchemaFile, "utf8")).toBe(conversionMapJsonSchemaText());
});
