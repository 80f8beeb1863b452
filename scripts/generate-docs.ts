// Updates the tables of the documentation that are generated from the code. A test fails if this was
// forgotten.
import { readFile, writeFile } from "node:fs/promises";
import { docsTables, withTables } from "./docs/docs-tables.ts";

for (const file of Object.keys(docsTables)) {
  const path = new URL(`../${file}`, import.meta.url);
  await writeFile(path, withTables(file, await readFile(path, "utf8")));
}
