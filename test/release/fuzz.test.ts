import { describe, expect, test } from "vitest";
import { fuzz } from "../fuzz/fuzz.ts";
import { openService, serviceEngines } from "../support/service.ts";

/** A new seed each time; `npm run fuzz -- --seed N` sends more of the same. */
const seed = Date.now() % 1_000_000;

describe.each(serviceEngines)("%s", (engine) => {
  test(`2,000 mutated files and 4,000 mutated requests of seed ${seed} bring no defect to light`, async () => {
    const service = await openService(engine);
    try {
      const { url, operatorToken } = service;
      expect(await fuzz({ url, operatorToken, seed, files: 2_000, requests: 4_000 })).toEqual([]);
    } finally {
      await service.close();
    }
  });
});
