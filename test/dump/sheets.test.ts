import { describe, expect, test } from "vitest";
import { sheetRoundsOn } from "../fuzz/sheets.ts";
import { engines } from "../support/engines.ts";
import { runs } from "../support/extent.ts";
import { openUndoBench } from "../support/parity/undos.ts";

const seed = Number(process.env.SHEET_SEED ?? 1);
/** The number of tenants; by hand, such as 500. */
const tenants = Number(process.env.SHEET_TENANTS ?? runs(10));

describe.each(engines)("sheets of random tenants on $name", ({ open }) => {
  test("change nothing that was not edited, and exactly what was, which can be undone", async () => {
    const bench = await openUndoBench(open);
    try {
      const onProgress = (text: string) => process.stderr.write(`${text}\n`);
      expect(await sheetRoundsOn(bench, { seed, rounds: tenants, onProgress })).toEqual([]);
    } finally {
      await bench.close();
    }
  }, 36_000_000);
});
