import { expect, test } from "vitest";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { suiteTables, worstAttacks } from "../../scripts/docs/suite-tables.ts";
import { fullSizes, type SuiteRow, suiteNames } from "../suites/record.ts";
import { page } from "./pages.ts";

const row = (more: Partial<SuiteRow> = {}): SuiteRow => ({
  ...{ date: "2026-01-31T12:00:00.000Z", version: "1.0.0", commit: "0123456789ab", node: "v24.0.0" },
  ...{ machine: "2 cores", program: "crash", seed: 7, sizes: fullSizes.crash, minutes: 1.5 },
  ...{ run: "PostgreSQL", figures: { Kills: 20 }, wrong: [], ...more },
});
const all = suiteNames.map((program) => row({ program, sizes: fullSizes[program] }));

test("rows of two commits are refused, with the command that runs all suites", () => {
  expect(() => suiteTables([row(), row({ commit: "ba9876543210", program: "fuzz" })])).toThrow(
    /^test\/suites\/record.json has figures .+; measure all again: npm run suites -- --save$/,
  );
});

test("the page begins with what is wrong and what was not run", () => {
  expect(suiteTables([]).verdict?.()).toMatch(/^Not run at this commit/);
  const wrong = row({ wrong: ["seed 7: an operation was logged twice"] });
  expect(suiteTables([wrong]).verdict?.()).toBe(
    "Version 1.0.0, 2026-01-31, commit 0123456789ab, Node 24.0.0, 2 cores: 2 minutes. Wrong in 1 of 1 rows. " +
      "Not run: failover, hostile, fuzz, conformance.\n",
  );
  expect(suiteTables([wrong])["results of crash"]?.()).toContain("| seed 7: an operation was logged twice |");
});

test("a record without anything wrong says so, with the command of each suite", () => {
  const tables = suiteTables(all);
  expect(tables.verdict?.()).toMatch(/: 8 minutes\. Nothing was wrong\.\n$/);
  expect(tables["results of fuzz"]?.()).toBe(
    "`npm run suites -- --only fuzz --files 10000 --requests 10000 --rounds 500 --changes 500 --seed 7`\n\n" +
      "|  | Kills | Minutes | Wrong |\n| --- | --- | --- | --- |\n| PostgreSQL | 20 | 1.5 | nothing |\n",
  );
});

test("suites that did less than a release needs are named, with what they did", () => {
  const sizes = { ...fullSizes.fuzz, rounds: 10, files: 20_000 };
  const rows = [
    row({ program: "fuzz", sizes }),
    row({ program: "conformance", sizes: { tests: "test/dump" } }),
  ];
  expect(suiteTables(rows).verdict?.()).toMatch(
    / Less than a release needs: fuzz --rounds 10, not 500; conformance --tests test\/dump, not test\/conformance\.\n$/,
  );
});

test("attacks with a figure beyond its limit are counted, and the greatest figures named", () => {
  const attack = (run: string, seconds: number, beyond: string) => {
    const figures = { Database: "PGlite", "Slowest query, s": seconds, "Beyond its limit": beyond };
    return row({ program: "hostile", sizes: fullSizes.hostile, run, figures });
  };
  const rows = [attack("none", 9, "none"), attack("short", 0.5, "none"), attack("long", 4.25, "queries")];
  expect(suiteTables(rows).verdict?.()).toContain(
    ": 5 minutes. Nothing was wrong. 1 of 2 attacks have a figure beyond its limit. Not run: ",
  );
  expect(worstAttacks(rows)).toBe(
    "| Database | Attacks | Beyond a limit | Slowest query, s |\n| --- | --- | --- | --- |\n" +
      "| PGlite | 2 | 1 | 4.25, long |\n",
  );
  expect(worstAttacks([])).toBe("Not run at this commit.\n");
});

test("what a service answered does not break the table", () => {
  const answered = row({ figures: { Answered: "400 a | b\nc" } });
  expect(suiteTables([answered])["results of crash"]?.()).toContain("| PostgreSQL | 400 a \\| b c | 1.5 |");
});

test("docs/suites.md shows test/suites/record.json: after a change, run `npm run generate`", () => {
  expect(page("docs/suites.md")).toBe(withTables("docs/suites.md", page("docs/suites.md")));
});
