import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { blocks, page } from "./pages.ts";

const readmes = globSync("packages/*/README.md");

test("every package has a README", () => {
  expect(readmes).toHaveLength(globSync("packages/*/package.json").length);
});

test.each(globSync("packages/*/api/*.d.ts"))("the README names each value that %s has", (report) => {
  const [readme] = report.split("/api/");
  const values = [...page(report).matchAll(/^export declare (?:const|function|class) (\w+)/gm)];
  expect(values).not.toEqual([]);
  const names = values.map(([, name]) => `\`${name}\``);
  expect(names.filter((name) => !page(`${readme}/README.md`).includes(name))).toEqual([]);
});

/** A package without exports has no program to show. */
const ofCode = readmes.filter((readme) => {
  const { exports = {} } = JSON.parse(page(readme.replace("README.md", "package.json")));
  return "." in exports;
});

describe.each(ofCode)("the program of %s", (readme) => {
  const [program = ""] = blocks(page(readme), "ts run");
  const [output] = blocks(page(readme), "text");

  test("the program of a README prints what the page says", { tags: "release" }, () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module-typescript", "--eval", program],
      {
        encoding: "utf8",
      },
    );
    expect(stdout + stderr).toBe(output);
  });
});
