import { beforeAll, describe, expect, test } from "vitest";
import { writeBeforeImages } from "../../packages/service/src/storage/task-details/before-images.ts";
import type { BeforeImage } from "../../packages/service/src/storage/unit-of-work/before-images.ts";
import { keepBefore } from "../../packages/service/src/storage/unit-of-work/before-images.ts";
import { readChanges } from "../../packages/service/src/tasks/changes/read-changes.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";

const key = { tenantId: "tenant", taskId: "task" };

/** Images of an operation with `count` rows of 600,000 characters; two of them exceed a row of images. */
const rowsOf = (index: number, count: number): BeforeImage[] =>
  Array.from({ length: count }, (_, n) => {
    const before = { email: `${index}.${n}`, phone: "x".repeat(600_000) };
    return { table: "customers", key: [`c${index}.${n}`], before };
  });

/** Operations 0 to 11, two per row; operation 6 takes three rows, and 3 changed nothing. */
const operations = Array.from({ length: 12 }, (_, index) => ({
  index,
  ...keepBefore(index, index === 3 ? [] : rowsOf(index, index === 6 ? 5 : 1)),
}));
const indexes = operations.map(({ index }) => index);

describe.each(engines)("reading changes on $name", ({ open }) => {
  const database = opened(open);
  beforeAll(async () => {
    await writeBeforeImages(database, key, operations);
  });

  async function read(wanted: readonly number[], characters: number) {
    const room = { characters };
    const changes = await readChanges(database, key, wanted, room);
    return { changes, characters: characters - room.characters };
  }

  const everything = Number.MAX_SAFE_INTEGER;

  test("each operation has its own changes, also from several rows; one that changed nothing has none", async () => {
    const { changes } = await read(indexes, everything);
    expect([...changes.keys()]).toEqual(indexes.filter((index) => index !== 3));
    for (const [index, { entities, more, isComplete }] of changes) {
      const count = index === 6 ? 5 : 1;
      expect(entities.map((entity) => entity.values)).toEqual(
        Array.from({ length: count }, (_, n) => [
          { pointer: "/email", before: `${index}.${n}`, after: null },
        ]),
      );
      expect([more, isComplete]).toEqual([count, true]);
    }
  });

  test("distant operations are read without the ones between them", async () => {
    const { changes, characters } = await read([11, 0], everything);
    expect([...changes.keys()].toSorted()).toEqual([0, 11]);
    expect(characters).toBeLessThan(3 * 1_300_000);
  });

  test("changes over the limit of one request are incomplete, and complete when requested again", async () => {
    const all = await read(indexes, everything);
    const found = new Map();
    let requests = 0;
    for (let rest: number[] = indexes; rest.length > 0; requests++) {
      const { changes, characters } = await read(rest, 4_000_000);
      expect(characters).toBeLessThan(4_000_000 + 1_900_000);
      const cut = rest.find((index) => changes.get(index)?.isComplete === false);
      for (const index of rest.filter((one) => cut === undefined || one < cut))
        if (changes.has(index)) found.set(index, changes.get(index));
      if (cut !== undefined && cut !== rest[0])
        for (const index of rest.filter((one) => one > cut))
          expect(changes.get(index)).toEqual({ entities: [], more: 0, isComplete: false });
      rest = cut === undefined ? [] : rest.filter((index) => index >= cut);
    }
    expect(found).toEqual(all.changes);
    expect(requests).toBeGreaterThan(1);
  });

  test("the first changes of an operation over the limit are read", async () => {
    const { changes } = await read([6], 1_000_000);
    expect(changes.get(6)).toMatchObject({ isComplete: false, entities: { length: 2 }, more: 2 });
    expect((await read([6], 0)).changes.get(6)).toEqual({ entities: [], more: 0, isComplete: false });
  });
});
