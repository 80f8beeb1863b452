// Writes the JSON Schemas of operation files and of maps. A test notices when it was forgotten after a change.
import { writeFile } from "node:fs/promises";
import { conversionMapJsonSchemaText, conversionMapSchemaFile } from "../src/conversion/map-schema.ts";
import { jsonSchemaFile, massOperationJsonSchemaText } from "../src/operation/json-schema.ts";

await writeFile(jsonSchemaFile, massOperationJsonSchemaText());
await writeFile(conversionMapSchemaFile, conversionMapJsonSchemaText());
