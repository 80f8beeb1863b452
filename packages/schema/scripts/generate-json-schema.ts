// Writes mass-operation.schema.json. Run it after a change to the payloads; a test notices when it was forgotten.
import { writeFile } from "node:fs/promises";
import { jsonSchemaFile, massOperationJsonSchemaText } from "../src/operation/json-schema.ts";

await writeFile(jsonSchemaFile, massOperationJsonSchemaText());
