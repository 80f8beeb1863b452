import { describe, expect, test } from "vitest";
import { exitCode } from "../../packages/cli/src/exit.ts";
import { everyCommand, examplesOf } from "../../packages/cli/src/usage/reference.ts";
import { commonOptions } from "../../scripts/docs/cli-reference.ts";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { page, rows, section } from "./pages.ts";

const file = "docs/cli.md";

type Command = Awaited<ReturnType<typeof everyCommand>>;

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

describe(file, () => {
  test("docs/cli.md has every command as it is; `npm run generate` renews it", () => {
    expect(withTables(file, page(file))).toBe(page(file));
  });

  test("docs/cli.md has every exit code", () => {
    const listed = rows(section(page(file), "Exit codes")).map(([code]) => Number(code));
    expect(listed).toEqual(Object.values(exitCode));
  });

  test("the help of every command has its common options and an example", async () => {
    for (const command of leaves(await everyCommand())) {
      const options = [...command.options.map(({ long }) => long), "--help"];
      expect(options, command.name()).toEqual(expect.arrayContaining([...commonOptions]));
      expect(examplesOf(command).length, command.name()).toBeGreaterThan(0);
    }
  });
});
