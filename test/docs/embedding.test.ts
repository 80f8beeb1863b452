import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { blocks, page } from "./pages.ts";

const file = "docs/embedding.md";

describe(file, () => {
  // The suite of this project runs it, as it stands in examples/.
  test("shows the Vitest example unchanged", () => {
    expect(blocks(page(file), "ts vitest")).toEqual([page("examples/embedding/with-vitest.test.ts")]);
  });

  test("sets a longer timeout for the start of a service than Vitest's default", () => {
    for (const example of blocks(page(file), "ts vitest"))
      expect(example).toMatch(/\}, 60_000\);.*\nafterAll/);
  });

  test("shows the node:test example unchanged, and node runs it", { tags: "release" }, () => {
    const example = "examples/embedding/with-node-test.ts";
    expect(blocks(page(file), "ts node:test")).toEqual([page(example)]);
    const { status, stdout } = spawnSync(process.execPath, ["--test", example], { encoding: "utf8" });
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/pass 1\n/);
  });
});
