import { expect, test } from "vitest";
import { serviceLayers, wrongImports } from "../../scripts/lint/import-rules.ts";

const service = "packages/service/src";

test.each([
  ["a command that imports the API", `${service}/domain/order/commands.ts`, "../../graphql/core-schema.ts"],
  ["storage that imports the domain", `${service}/storage/items.ts`, "../domain/tree.ts"],
  ["a neighbour on the same layer", `${service}/runner/run-task.ts`, "../graphql/core-schema.ts"],
  ["the HTTP server that imports the API", `${service}/http/server.ts`, "../graphql/core-schema.ts"],
  ["a leaf that imports anything", `${service}/errors.ts`, "./storage/database.ts"],
  ["a part that imports the composition root", `${service}/http/server.ts`, "../app/start-service.ts"],
  ["the schema that imports the service", "packages/schema/src/index.ts", "@lading/service"],
  ["the service that imports the CLI", `${service}/app/start-service.ts`, "lading"],
  ["the schema that imports a part of the CLI", "packages/schema/src/index.ts", "lading/main"],
  ["a relative path into another package", "packages/cli/src/main.ts", "../../schema/src/index.ts"],
  ["a variant that imports items", `${service}/domain/variant/create.ts`, "../item/create.ts"],
  ["a noun that imports another noun", `${service}/domain/order/create.ts`, "../customer/find.ts"],
  ["a folder that no layer names", `${service}/magic/wand.ts`, "../errors.ts"],
])("%s is reported with the file and what it imported", (_what, path, specifier) => {
  const reports = wrongImports([{ path, text: `import { x } from "${specifier}";` }]);
  expect(reports).toHaveLength(1);
  expect(reports[0]).toContain(`${path} imports "${specifier}": `);
});

const below = (part: string) =>
  serviceLayers.slice(serviceLayers.findIndex((layer) => layer.includes(part)) + 1).flat();

test.each([
  ["a type import over several lines", `import type {\n  A,\n  B,\n} from "../graphql/x.ts";`],
  ["an import for its effect", `import "../graphql/x.ts";`],
  ["a re-export", `export * from "../graphql/x.ts";`],
  ["a dynamic import", `const x = await import("../graphql/x.ts");`],
])("a wrong import is found: %s", (_what, text) => {
  expect(wrongImports([{ path: `${service}/domain/x.ts`, text }])).toEqual([
    `${service}/domain/x.ts imports "../graphql/x.ts": domain may import ${below("domain").join(", ")}`,
  ]);
});

test.each([
  ["the API to import a command", `${service}/graphql/api.ts`, "../commands/registry.ts"],
  [
    "a command to import storage",
    `${service}/domain/order/commands.ts`,
    "../../storage/unit-of-work/unit-of-work.ts",
  ],
  ["a command to import its type", `${service}/domain/order/commands.ts`, "../command.ts"],
  ["an item to import its variants", `${service}/domain/item/create.ts`, "../variant/create.ts"],
  ["the composition root to import everything", `${service}/index.ts`, "./app/start-service.ts"],
  ["the CLI to import the service", "packages/cli/src/commands/serve.ts", "@lading/service"],
  ["anyone to import a public package", `${service}/domain/tree.ts`, "fractional-indexing"],
])("the rules allow %s", (_what, path, specifier) => {
  expect(wrongImports([{ path, text: `import { x } from "${specifier}";` }])).toEqual([]);
});
