import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { blocks, page } from "./pages.ts";

const file = "docs/embedding.md";

describe(file, () => {
  // The suite of this project runs it, as it stands in examples/.
  test("shows the example of Vitest as it is", () => {
    expect(blocks(page(file), "ts vitest")).toEqual([page("examples/embedding/with-vitest.test.ts")]);
  });

  test("gives the start of a service longer than Vitest does by itself", () => {
    for (const example of blocks(page(file), "ts vitest"))
      expect(example).toMatch(/\}, 60_000\);.*\nafterAll/);
  });

  test("shows the example of node:test as it is, and node runs it", { tags: "release" }, () => {
    const example = "examples/embedding/with-node-test.ts";
    expect(blocks(page(file), "ts node:test")).toEqual([page(example)]);
    const { status, stdout } = spawnSync(process.execPath, ["--test", example], { encoding: "utf8" });
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/pass 1\n/);
  });
});
