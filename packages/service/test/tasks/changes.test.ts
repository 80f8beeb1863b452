import { describe, expect, test } from "vitest";
import type { NewIds } from "../../src/storage/bulk-tasks/plans/new-ids.ts";
import { allCollections } from "../../src/storage/collections/all.ts";
import type { BeforeImage } from "../../src/storage/unit-of-work/before-images.ts";
import { ChangeList, changeLimits } from "../../src/tasks/changes/changes.ts";

const customer = (identifier: string, before: object | null, after: object | null): BeforeImage => ({
  ...{ table: "customers", key: [identifier], before, after },
});

const changesOf = (...images: BeforeImage[]) => changesIn(null, ...images);

function changesIn(newIds: NewIds | null, ...images: BeforeImage[]) {
  const list = new ChangeList(newIds);
  for (const image of images) list.add([image]);
  return list.changes(true);
}

describe("the changes of an operation", () => {
  test.each(allCollections)("of $table nothing internal is shown", ({ table, ...collection }) => {
    const { columns, key, internal } = collection;
    const row = Object.fromEntries(Object.keys(columns).map((name) => [name, `the ${name}`]));
    const { entities } = changesOf({ table, key: key.map((name) => row[name]), before: null, after: row });
    const [shown] = entities;
    const names = [
      ...Object.keys(shown?.key ?? {}),
      ...(shown?.values ?? []).map(({ pointer }) => pointer.slice(1)),
    ];
    const known = Object.keys(columns).filter((name) => !/^(createdAt|updatedAt)$/.test(name));
    expect(names.toSorted()).toEqual(known.filter((name) => !internal.includes(name)).toSorted());
    // The names that such columns have in every collection.
    expect(names).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/sortKey|hash|revision|versionId/i)]),
    );
  });

  test("former paths have the path in the key, or its hash where a run has kept nothing else", () => {
    const former = (hash: string, before: object | null, after?: object | null): BeforeImage => ({
      ...{ table: "item_former_paths", key: ["i", "en", hash], before },
      ...(after !== undefined && { after }),
    });
    const planned = former("a1", null, { path: "/old" });
    const { entities } = changesOf(planned, former("b2", { path: "/older" }, null), former("c3", null));
    expect(entities.map(({ key }) => key)).toEqual([
      { itemId: "i", language: "en", path: "/old" },
      { itemId: "i", language: "en", path: "/older" },
      { itemId: "i", language: "en", pathHash: "c3" },
    ]);
  });

  test("an entity with only its times changed is left out; a moved one is listed", () => {
    const moved = { table: "items", key: ["i"], before: { sortKey: "a" }, after: { sortKey: "b" } };
    const times = { createdAt: "2030-01-31T12:00:00.000Z", updatedAt: "2030-01-31T12:00:00.000Z" };
    expect(changesOf(customer("ann", times, times), moved).entities).toEqual([
      { entity: "item", key: { id: "i" }, action: "updated", changedSince: false, values: [] },
    ]);
  });

  test("of many values, entities and characters the first are listed, and the others are counted", () => {
    const meta = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ key: String(n), value: "before" }));
    const changed = (count: number) => meta(count).map((one) => ({ ...one, value: "after" }));
    const values = changesOf(
      customer("ann", { meta: meta(changeLimits.values) }, { meta: changed(changeLimits.values) }),
      customer("bob", { email: "b@example.com" }, { email: "c@example.com" }),
    );
    expect(values.entities.map((entity) => entity.values.length)).toEqual([changeLimits.values, 0]);
    expect(values.more).toBe(1);
    const entities = changesOf(
      ...Array.from({ length: changeLimits.entities + 2 }, (_, n) =>
        customer(`c${n}`, null, { email: null }),
      ),
    );
    expect([entities.entities.length, entities.more]).toEqual([changeLimits.entities, 2]);
    const text = "x".repeat(changeLimits.characters / 2);
    const large = changesOf(
      customer("ann", { email: text, phone: "1" }, { email: text.toUpperCase(), phone: "2" }),
    );
    expect(large).toMatchObject({ entities: [{ values: [{ pointer: "/phone" }] }], more: 1 });
  });

  test("reordered members of a list are one change of the list, separate from those of their values", () => {
    const meta = (...names: string[]) => names.map((key) => ({ key, value: `of ${key}` }));
    const valuesOf = (before: object, after: object) =>
      changesOf(customer("ann", { meta: before }, { meta: after })).entities[0]?.values;
    expect(valuesOf(meta("a", "b", "c"), meta("b", "c", "a"))).toEqual([
      { pointer: "/meta", before: ["a", "b", "c"], after: ["b", "c", "a"] },
    ]);
    expect(
      valuesOf(meta("a", "b"), [
        { key: "b", value: "of b" },
        { key: "a", value: "other" },
      ]),
    ).toEqual([
      { pointer: "/meta", before: ["a", "b"], after: ["b", "a"] },
      { pointer: "/meta/1/value", before: "of a", after: "other" },
    ]);
    // Members that come and go leave the others in their order.
    expect(valuesOf(meta("a", "b", "c"), meta("x", "a", "c"))?.map(({ pointer }) => pointer)).toEqual([
      ...["/meta/0", "/meta/1"],
    ]);
    expect(valuesOf(meta("a", "b"), meta("x", "b", "a", "y"))).toMatchObject([
      { pointer: "/meta", before: ["a", "b"], after: ["b", "a"] },
      { pointer: "/meta/0", before: null },
      { pointer: "/meta/3", before: null },
    ]);
  });

  test("only ids that the plan has made are new: no text of other times, and nothing that was stored before", () => {
    const newIds = { first: "019300000000", end: "0193000fffff" };
    const [made, text, later] = ["019300000001", "019300000002", "ffffffffffff"].map((time) =>
      time.padEnd(24, "0"),
    );
    const changed = (row: Partial<BeforeImage>) =>
      changesIn(newIds, { table: "items", key: [text], ...row } as BeforeImage);
    const list = (...values: unknown[]) => ({ meta: values });
    expect(
      changed({ seen: null, before: list(text, "a"), after: list(text, made, later) }).entities,
    ).toMatchObject([
      {
        key: { id: text },
        values: [
          { pointer: "/meta/1", before: "a", after: "new" },
          { pointer: "/meta/2", before: null, after: later },
        ],
      },
    ]);
    expect(changed({ before: null, after: { parentId: made } }).entities).toMatchObject([
      { key: { id: "new" }, values: [{ before: null, after: "new" }] },
    ]);
    expect(changed({ before: { parentId: made }, after: { parentId: text } }).entities).toMatchObject([
      { key: { id: "new" } },
    ]);
    expect(changed({ seen: null, before: { parentId: text }, after: null }).entities).toMatchObject([
      { key: { id: text }, values: [{ before: text, after: null }] },
    ]);
  });
});
