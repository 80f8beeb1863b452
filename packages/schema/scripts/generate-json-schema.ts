// Writes mass-operation.schema.json. Run it after a change to the payloads; a test notices when it was forgotten.
import { writeFile } from "node:fs/promises";
import { massOperationJsonSchemaText } from "../src/operation/json-schema.ts";

const file = new URL("../mass-operation.schema.json", import.meta.url);
await writeFile(file, massOperationJsonSchemaText());
