// Writes the types of the Core API's schema for gql.tada, from the service's code. `npm run types` begins with it, so
// that a field which the service no longer has fails the type check of the console.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { introspectionFromSchema } from "graphql";
import { coreSchema } from "../../service/src/graphql/core-schema.ts";

const file = new URL("../generated/core-schema.d.ts", import.meta.url);
const text = outputIntrospectionFile(minifyIntrospection(introspectionFromSchema(coreSchema())), {
  fileType: ".d.ts",
  shouldPreprocess: true,
});
mkdirSync(new URL(".", file), { recursive: true });
if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
