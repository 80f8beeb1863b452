import { describe, expect, test } from "vitest";
import { torture } from "../torture/torture.ts";

// A short run; `npm run torture` has an option for the number of kills. These seeds kill everything once.
describe.each([
  { engine: "pglite", seed: 1, killed: { all: 1 } },
  { engine: "postgresql", seed: 1, killed: { runner: 1, database: 1 } },
] as const)("killed at random on $engine", ({ engine, seed, killed }) => {
  test("a service that is killed at random loses no operation and repeats none", async () => {
    const kills = Object.keys(killed).length;
    const report = await torture({ engine, kills, seed, operations: 300, tenants: 2 });
    expect(report).toMatchObject({ wrong: [], killed, kills });
  });
});
