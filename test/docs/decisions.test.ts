import { globSync } from "node:fs";
import { basename } from "node:path";
import { intentNames } from "@lading/schema";
import { expect, test } from "vitest";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { mutations } from "../../packages/service/src/graphql/entities.ts";
import { operatorSchema } from "../../packages/service/src/graphql/operator/schema.ts";
import { page, rows, section } from "./pages.ts";

test("docs/concurrency.md names every intent and every mutation without one", () => {
  const table = rows(section(page("docs/concurrency.md"), "The table"));
  const names = table.flatMap(([commands = ""]) =>
    [...commands.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const patterns = names.map((name) => new RegExp(`^${name?.replaceAll("*", ".+")}$`));
  const withIntent = new Set(Object.values(mutations).map(({ mutation }) => mutation as string));
  const others = [coreSchema(), operatorSchema()]
    .flatMap((schema) => Object.keys(schema.getMutationType()?.getFields() ?? {}))
    .filter((name) => !withIntent.has(name));
  const missing = [...intentNames, ...others].filter(
    (name) => !patterns.some((pattern) => pattern.test(name)),
  );
  expect(missing).toEqual([]);
});

test("the decisions are numbered without gaps, and their index has the title of each", () => {
  const titles = globSync("docs/adr/0*.md")
    .sort()
    .map((file) => ({
      file: basename(file),
      title: page(file)
        .split("\n")[0]
        ?.replace(/^# \d+\. /, ""),
    }));
  const files = titles.map(({ file }) => file);
  expect(files.map((file) => Number.parseInt(file, 10))).toEqual(files.map((_, i) => i + 1));
  const index = titles.map(({ file, title }, i) => `${i + 1}. [${title}](${file})`);
  expect(page("docs/adr/README.md").trimEnd().split("\n").slice(4)).toEqual(index);
  for (const [i, file] of files.entries())
    expect(page(`docs/adr/${file}`)).toMatch(new RegExp(`^# ${i + 1}\\. `));
});
