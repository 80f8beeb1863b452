/**
 * Writes the types of the schemas of the Core API and the operator's API for gql.tada, from the service's code.
 * `npm run types` begins with it: a field that the service no longer has fails the type check of what asks for it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { type GraphQLSchema, introspectionFromSchema } from "graphql";
import { coreSchema } from "../packages/service/src/graphql/core-schema.ts";
import { operatorSchema } from "../packages/service/src/graphql/operator/schema.ts";

write("core-schema.d.ts", coreSchema(), ["console", "cli"]);
write("operator-schema.d.ts", operatorSchema(), ["cli"]);

function write(name: string, schema: GraphQLSchema, packages: string[]): void {
  const text = outputIntrospectionFile(minifyIntrospection(introspectionFromSchema(schema)), {
    fileType: ".d.ts",
    shouldPreprocess: true,
  });
  for (const folder of packages) {
    const file = new URL(`../packages/${folder}/generated/${name}`, import.meta.url);
    mkdirSync(new URL(".", file), { recursive: true });
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  }
}
