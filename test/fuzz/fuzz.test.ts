import { expect, test } from "vitest";
import { openService } from "../support/service.ts";
import { fuzz } from "./fuzz.ts";

/** `npm run fuzz` sends more, of a new seed each time. */
test("mutated files and requests bring no defect to light", async () => {
  const service = await openService("pglite");
  try {
    const { url, operatorToken } = service;
    expect(await fuzz({ url, operatorToken, seed: 1, files: 60, requests: 250 })).toEqual([]);
  } finally {
    await service.close();
  }
}, 180_000);
