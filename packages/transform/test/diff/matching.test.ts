import { describe, expect, test } from "vitest";
import { LocationTable } from "../../src/diff/match.ts";
import { difference, document, id, product, type Written } from "./dump-of.ts";

const vatType = (vatTypeId: number, name: string, percent: number): Written => ({
  intent: "vatType/upsert",
  ...{ id: id(vatTypeId), name, percent, position: 0 },
});

describe("entities at the same location in two tenants", () => {
  test.each([
    ["resource identifiers", document(1, "A", { resourceIdentifier: "a" }), { resourceIdentifier: "b" }],
    ["external references", document(1, "A", { externalReference: "a" }), { externalReference: "b" }],
  ])("do not match where the %s differ", (_, from, more) => {
    const { operations, counts } = difference([from], [document(2, "A", more)]);
    expect(operations.map(({ intent, itemId }) => [intent, itemId])).toEqual([["document/upsert", id(2)]]);
    expect(counts).toEqual(["document created 1", "document left 1"]);
  });

  test("do not match where both have an external reference and different resource identifiers", () => {
    const item = (number: number, resourceIdentifier: string) =>
      document(number, `${number}`, { resourceIdentifier, externalReference: "x" });
    const { counts } = difference([item(1, "a")], [item(2, "b")]);
    expect(counts).toEqual(["document created 1", "document left 1"]);
  });

  test("do not match where products have no default SKU in common", () => {
    const { counts } = difference([product(1, "Tea", ["a"])], [product(2, "Tea", ["b"])]);
    expect(counts).toEqual(["product created 1", "product left 1"]);
  });

  test("match where a key was added, or another variant became the default", () => {
    const { counts } = difference(
      [document(1, "A"), product(2, "Tea", ["a", "b"])],
      [document(11, "A", { resourceIdentifier: "a" }), product(12, "Tea", ["b", "a"])],
    );
    expect(counts).toEqual(["document updated 1", "product updated 1"]);
  });

  test("match in order where many have one name, even if stronger keys distinguish some of them", () => {
    const named = (number: number, externalReference: string) => document(number, "A", { externalReference });
    const { operations } = difference(
      [named(1, "a"), named(2, "b"), document(3, "A")],
      [named(11, "c"), document(12, "A"), document(13, "A")],
    );
    const [first, ...others] = operations;
    expect(first).toMatchObject({ intent: "document/update", itemId: id(3), externalReference: "c" });
    expect(others.map(({ intent }) => intent)).toEqual(["document/update", "document/update"]);
  });

  test("match by creation time where several have one name", () => {
    const made = (number: number, createdAt: string) => document(number, "A", { createdAt });
    const [may, june] = ["2026-05-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z"];
    const { operations } = difference([made(1, may), made(2, june)], [made(11, june)]);
    expect(operations).toEqual([]);
  });

  test("are compared with only a few where very many have one name", () => {
    const count = 1_000;
    const locations = new LocationTable();
    for (let number = 0; number < count; number++) locations.add("/a", number);
    const taken = new Set<number>();
    let asked = 0;
    for (let number = 0; number < count; number++) {
      const isPossible = (found: number) => ++asked > 0 && found % 2 === 0;
      const found = locations.find("/a", (each) => !taken.has(each), isPossible);
      if (found !== undefined) taken.add(found);
    }
    expect(taken.size).toBeGreaterThan(10);
    expect(asked).toBeLessThan(40 * count);
  });
});

describe("the first VAT type of a tenant, whose id all tenants have,", () => {
  test("does not match where both tenants have changed it differently", () => {
    const [ours, theirs] = [vatType(1, "MVA", 25), vatType(1, "USt", 19)];
    const [tea, other] = [product(9, "Tea", ["a"]), { vatTypeId: id(1) }];
    const { operations, remainders } = difference([ours, tea], [theirs, { ...tea, ...other }]);
    const [made, update] = operations;
    expect(made).toMatchObject({ intent: "vatType/upsert", name: "USt", percent: 19 });
    expect(made!.id).not.toBe(id(1));
    expect(update).toMatchObject({ intent: "product/update", itemId: id(9), vatTypeId: made!.id });
    expect(remainders).toEqual([expect.stringContaining("settings that only")]);
    const again = difference(
      [made as Written, ours, { ...tea, vatTypeId: made!.id }],
      [theirs, { ...tea, ...other }],
    );
    expect(again.operations).toEqual([]);
  });

  test("matches where a tenant has left it unchanged, or both gave it the same name", () => {
    for (const [from, to] of [
      [vatType(1, "No tax", 0), vatType(1, "USt", 19)],
      [vatType(1, "USt", 7), vatType(1, "USt", 19)],
    ] as const)
      expect(difference([from], [to]).operations).toEqual([
        { intent: "vatType/upsert", id: id(1), name: "USt", percent: 19 },
      ]);
  });

  test("matches by name where a tenant has that name under another id", () => {
    const { operations } = difference(
      [vatType(1, "USt", 19), vatType(2, "No tax", 0)],
      [vatType(1, "No tax", 0), vatType(3, "USt", 19)],
    );
    expect(operations.every(({ id: own, name }) => own === (name === "USt" ? id(1) : id(2)))).toBe(true);
  });
});
