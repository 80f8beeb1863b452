import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { conversionMapJsonSchemaText, conversionMapSchemaFile } from "../../src/conversion/map-schema.ts";

test("the JSON Schema of maps is shipped as it is generated: after a change, run `npm run generate`", async () => {
  expect(await readFile(conversionMapSchemaFile, "utf8")).toBe(conversionMapJsonSchemaText());
});
