import { expect, test } from "vitest";
import { writeOn } from "../fuzz/writers/run.ts";
import { freshDatabase } from "../support/database.ts";

/** New seeds each time; `npm run fuzz -- --seed N --files 0 --requests 0` repeats one with more changes. */
const seed = Date.now() % 1_000_000;
const changes = 40;

test(`writers in two processes on PostgreSQL are serializable, seed ${seed}`, async () => {
  const database = await freshDatabase();
  try {
    expect(await writeOn(database.url, { seed, changes })).toEqual([]);
  } finally {
    await database.drop();
  }
});

test(`writers on PGlite are serializable, seed ${seed}`, async () => {
  expect(await writeOn(undefined, { seed, changes })).toEqual([]);
});
