import { expect, test } from "vitest";
import { writeOn } from "../fuzz/writers/run.ts";
import { freshDatabase } from "../support/database.ts";

/** New seeds each time; `npm run fuzz -- --seed N --files 0 --requests 0` makes more changes of the same. */
const seed = Date.now() % 1_000_000;
const changes = 40;

test(`writers of two processes on PostgreSQL leave what one after the other could, seed ${seed}`, async () => {
  const database = await freshDatabase();
  try {
    expect(await writeOn(database.url, { seed, changes })).toEqual([]);
  } finally {
    await database.drop();
  }
});

test(`writers on PGlite leave what one after the other could, seed ${seed}`, async () => {
  expect(await writeOn(undefined, { seed, changes })).toEqual([]);
});
