import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allVariables } from "../../packages/cli/src/environment.ts";
import { main } from "../../packages/cli/src/main.ts";
import { allSettings, variablesOf } from "../../packages/service/src/settings/settings.ts";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { codes, page } from "./pages.ts";

const file = "docs/operations.md";
const named = codes(page(file));

async function help(...command: string[]): Promise<string> {
  let text = "";
  const write = (chunk: string) => {
    text += chunk;
    return true;
  };
  const stdout = { write } as unknown as NodeJS.WriteStream;
  await main([...command, "--help"], { stdout, interrupted: new AbortController().signal });
  return text;
}

describe(file, () => {
  test("docs/operations.md has the current settings; `npm run generate` renews it", () => {
    expect(withTables(file, page(file))).toBe(page(file));
  });

  test("docs/operations.md has every option of `serve` and no other", async () => {
    const options = [...(await help("serve")).matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name);
    const ofEveryCommand = ["--help", "--json", "--no-interactive", "--quiet"];
    const settings = options.filter((name) => !ofEveryCommand.includes(name as string));
    expect(settings.length).toBeGreaterThan(3);
    expect([...new Set(named.filter((name) => /^--[a-z-]+$/.test(name)))].sort()).toEqual(settings.sort());
  });

  test("docs/operations.md has every variable that the service or the command line reads and no other", () => {
    const read: string[] = [...allSettings.flatMap(variablesOf), ...allVariables];
    const documented = named.filter((name) => /^LADING_[A-Z0-9_]*[A-Z0-9]$/.test(name));
    expect([...new Set(documented)].sort()).toEqual(read.sort());
  });

  test("docs/operations.md has every variable read anywhere", () => {
    const sources = globSync("packages/*/src/**/*.ts").map((path) => readFileSync(path, "utf8"));
    const read = sources.flatMap((source) => source.match(/\bLADING_[A-Z0-9_]*[A-Z0-9]\b/g) ?? []);
    const ofTests = ["LADING_TEST_DATABASE_URL", "LADING_TEST_WITHOUT_CONSTRAINTS", "LADING_PG_BIN"];
    expect([...new Set(read)].filter((name) => !named.includes(name))).toEqual(ofTests);
  });
});

describe.each(["README.md", "docs/first-hour.md"])("%s", (guide) => {
  const commands = [...page(guide).matchAll(/^npx lading ([^#\n]+)/gm)].map(
    ([, command]) => command as string,
  );

  test.each(commands)(`the command \`%s\` of ${guide} exists`, async (command) => {
    const words = command.trim().split(/\s+/);
    const name = words.slice(0, ["serve", "console"].includes(words[0] as string) ? 1 : 2);
    const text = await help(...name);
    expect(text).toContain(`Usage: lading ${name.join(" ")}`);
    for (const option of words.filter((word) => word.startsWith("--"))) expect(text).toContain(`${option} `);
  });
});
