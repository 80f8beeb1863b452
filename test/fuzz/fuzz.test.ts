import { describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { inRelease, runs } from "../support/extent.ts";
import { openUndoBench } from "../support/parity/undos.ts";
import { seeded } from "../support/random.ts";
import { openService, serviceEngines } from "../support/service.ts";
import { fuzz } from "./fuzz.ts";
import { mutateJson } from "./mutate.ts";
import { undoRoundsOn } from "./undos.ts";

/** `npm run fuzz` sends more. */
const seed = inRelease ? Date.now() % 1_000_000 : 1;

test.each(serviceEngines)(
  `mutated files and requests of seed ${seed} reveal no defect, on %s`,
  async (engine) => {
    const service = await openService(engine, { rateLimit: 0, wrongCredentialsLimit: 0 });
    try {
      const { url, operatorToken } = service;
      expect(await fuzz({ url, operatorToken, seed, files: runs(60), requests: runs(250) })).toEqual([]);
    } finally {
      await service.close();
    }
  },
  180_000,
);

describe.each(engines)("on $name", ({ open }) => {
  test("without other writers, a task is run and undone as planned, and leaves everything unchanged", async () => {
    const bench = await openUndoBench(open);
    try {
      expect(await undoRoundsOn(bench, { seed: 1, rounds: runs(5), operations: 14 })).toEqual([]);
    } finally {
      await bench.close();
    }
  }, 300_000);
});

test("repeated mutations of a value keep it valid JSON", () => {
  for (let seed = 0; seed < 200; seed++) {
    const [random, value] = [seeded(seed), { list: [1, "text"], object: { key: null } }];
    for (let i = 0; i < 50; i++) mutateJson(random, value);
    expect(() => JSON.stringify(value)).not.toThrow();
  }
});
