/** Writes the GraphQL schemas that packages/service/api records. A test fails if this was forgotten after a change. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type GraphQLSchema, lexicographicSortSchema, parse, print, printSchema, visit } from "graphql";
import { coreSchema } from "../packages/service/src/graphql/core-schema.ts";
import { operatorSchema } from "../packages/service/src/graphql/operator/schema.ts";

/** The records by their paths. */
export const graphqlRecords = (): Record<string, string> => ({
  "packages/service/api/core.graphql": recordOf(coreSchema()),
  "packages/service/api/operator.graphql": recordOf(operatorSchema()),
});

/** Without descriptions: a version promises no wording. */
function recordOf(schema: GraphQLSchema): string {
  const covered = visit(parse(printSchema(lexicographicSortSchema(schema))), {
    enter: (node) => ("description" in node ? { ...node, description: undefined } : undefined),
  });
  return `${print(covered)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [file, text] of Object.entries(graphqlRecords()))
    writeFileSync(new URL(`../${file}`, import.meta.url), text);
