import fc from "fast-check";
import { expect, test } from "vitest";
import { engines } from "../../../../test/support/engines.ts";

test.each(engines)("$name answers a timestamp as ISO 8601 in UTC, to the millisecond", async ({ open }) => {
  const database = await open();
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
    const [micro] = await database.query<{ read: string }>(
      "SELECT '2026-11-21 12:00:00.123999+02'::timestamptz AS read",
    );
    expect(micro?.read).toBe("2026-11-21T10:00:00.123Z");
  } finally {
    await database.close();
  }
});
