import fc from "fast-check";
import { expect, test } from "vitest";
import { bothEngines } from "../../../../test/support/engines.ts";
import { timestampInJson } from "../../src/storage/database.ts";

test.each(bothEngines)(
  "$name answers a timestamp as ISO 8601 in UTC, to the millisecond",
  async ({ shared }) => {
    const database = await shared();
    try {
      const written = fc
        .sample(
          fc.date({ min: new Date("0001-01-01"), max: new Date("12000-01-01"), noInvalidDate: true }),
          200,
        )
        .map((date) => date.toISOString());
      const rows = await database.query<{ read: string }>(
        "SELECT t::timestamptz AS read FROM unnest($1::text[]) WITH ORDINALITY AS u(t, n) ORDER BY n",
        [written.map((text) => text.replace("+0", ""))],
      );
      expect(rows.map(({ read }) => read)).toEqual(written);
      const [json] = await database.query<{ read: string[] }>(
        "SELECT json_agg(t::timestamptz ORDER BY n) AS read FROM unnest($1::text[]) WITH ORDINALITY AS u(t, n)",
        [written.map((text) => text.replace("+0", ""))],
      );
      expect(json?.read.map(timestampInJson)).toEqual(written);
      const [micro] = await database.query<{ read: string }>(
        "SELECT '2026-11-21 12:00:00.123999+02'::timestamptz AS read",
      );
      expect(micro?.read).toBe("2026-11-21T10:00:00.123Z");
      expect(timestampInJson("2026-11-21T10:00:00.123999+00:00")).toBe(micro?.read);
    } finally {
      await database.close();
    }
  },
);
