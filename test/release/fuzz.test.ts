import { describe, expect, test } from "vitest";
import { fuzz } from "../fuzz/fuzz.ts";
import { bothServiceEngines, openService } from "../support/service.ts";

/** A new seed each time; `npm run fuzz -- --seed N` sends more of the same. */
const seed = Date.now() % 1_000_000;

describe.each(bothServiceEngines)("%s", (engine) => {
  test(`800 mutated files, with their plans, retries and undos, and 2,000 mutated requests of each kind of seed ${seed} bring no defect to light`, async () => {
    const service = await openService(engine, { rateLimit: 0, wrongCredentialsLimit: 0 });
    try {
      const { url, operatorToken } = service;
      expect(await fuzz({ url, operatorToken, seed, files: 800, requests: 2_000 })).toEqual([]);
    } finally {
      await service.close();
    }
  });
});
