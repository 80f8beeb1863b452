import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { intentNames } from "@lading/schema";
import { expect, test } from "vitest";
import { docsTables, withTables } from "../../scripts/docs/docs-tables.ts";
import { blocks, codes, page, rows, section } from "./pages.ts";

const howTo = section(page("CONTRIBUTING.md"), "Add an intent");
const table = rows(howTo);
const files = table.flatMap(([, file = ""]) => codes(file));
/** The files that a path of the how-to may be: `<noun>` is any noun, `<intent>` any intent. */
const matching = (path: string) => globSync(path.replace("<noun>", "*").replace("<intent>", "**/*"));
const generated = [...Object.keys(docsTables), ...globSync("packages/schema/*.schema.json")];
const scripts: Record<string, string> = JSON.parse(page("package.json")).scripts;

const sources = globSync([
  "docs/**/*.md",
  "examples/*.json",
  "packages/*/*.json",
  "packages/*/{src,test,scripts}/**/*.ts",
  "{bench,scripts,test}/**/*.ts",
]);

const tests = globSync("{packages/*/test,test,examples}/**/*.test.ts");

/** The number of intents that a text names, each in quotes of code or of prose. */
const intentsIn = (text: string) =>
  intentNames.filter((intent) => text.includes(`"${intent}"`) || text.includes(`\`${intent}\``)).length;

test("the how-to for intents names files and folders that exist, at most ten", () => {
  expect(files.filter((path) => matching(path).length === 0)).toEqual([]);
  expect(files).toHaveLength(table.length);
  expect(table.length).toBeLessThanOrEqual(10);
});

test("the how-to for nouns names files that exist, at most six", () => {
  const named = rows(section(page("CONTRIBUTING.md"), "Add a noun")).flatMap(([, file = ""]) => codes(file));
  expect(named).toContain("packages/schema/src/identity/natural-key.ts");
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(named.length).toBeLessThanOrEqual(6);
});

test("the how-to for intents names every file that lists most intents and is not generated", () => {
  const lists = sources.filter((file) => intentsIn(page(file)) > intentNames.length / 2);
  expect(lists).toContain("packages/service/src/graphql/entities.ts");
  expect(lists.filter((file) => !files.includes(file) && !generated.includes(file))).toEqual([]);
});

test("the how-to for intents names every file that has rows of intents", () => {
  const withRows = sources.filter((file) =>
    /^} (?:as const )?satisfies (?:IntentRows|Partial<Commands>);$/m.test(page(file)),
  );
  const named = files.flatMap(matching);
  expect(withRows).not.toEqual([]);
  expect(withRows.filter((file) => !named.includes(file))).toEqual([]);
});

test("docs/how-a-write-works.md quotes the sources as they are; `npm run generate` renews it", () => {
  const guide = "docs/how-a-write-works.md";
  expect(Object.keys(docsTables[guide] ?? {}).length).toBeGreaterThan(5);
  expect(withTables(guide, page(guide))).toBe(page(guide));
});

test("the commands of the how-to for intents exist, and the tests that they run", () => {
  const commands = blocks(howTo, "sh")
    .join("")
    .matchAll(/npm run ([\w:]+)/g);
  const names = Array.from(commands, ([, name = ""]) => name);
  expect(names).toContain("test:intent");
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
  const listed = scripts["check:intent"]?.match(/[\w/-]+\/[\w./-]+/g) ?? [];
  expect(listed).not.toEqual([]);
  expect(listed.filter((path) => !existsSync(path))).toEqual([]);
});

const vitest = (...args: string[]) =>
  spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], { encoding: "utf8" });

test("running tests by an unknown name fails", { tags: "release" }, () => {
  const { status, stderr } = vitest("run", "packages/schema/test/problems", "-t", "no test is called so");
  expect([status, stderr]).toEqual([1, expect.stringContaining("No test has a name that matches")]);
});

const commands = codes(page("CONTRIBUTING.md")).flatMap(
  (code) => /npx vitest run (.+)$/.exec(code)?.[1] ?? [],
);

test("CONTRIBUTING.md has commands that run tests", () => expect(commands.length).toBeGreaterThan(3));

test.each(commands)("`npx vitest run %s` of CONTRIBUTING.md selects tests", (command) => {
  const args = command.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', "")) ?? [];
  const name = args.includes("-t") ? args.splice(args.indexOf("-t"), 2)[1] : undefined;
  for (const path of args.filter((arg) => !arg.startsWith("-"))) {
    const selected = tests.filter((file) => file.includes(path) && !file.startsWith("test/release/"));
    expect(selected, path).not.toEqual([]);
    if (name !== undefined)
      expect(selected.map(page).join("\n")).toMatch(new RegExp(`\\btest[.\\w]*\\(\\s*"[^"]*${name}`));
  }
});
