import { describe, expect, it } from "vitest";
import { inRelease } from "../../../../test/support/extent.ts";
import { check, fileOf } from "./support/files.ts";
import { folder, reader } from "./support/operations.ts";

describe("lifetimes", () => {
  it("lifetimes name each operation that a later one reads, and its last reader, in any string", async () => {
    const { lifetimes } = await check(
      fileOf(
        folder("a"),
        folder("b", { tree: { parentId: "{{ a.id }}" } }),
        folder("unread"),
        reader("{{#if a.nope}}{{ b.id }}{{/if}}"),
        reader("", { meta: [{ key: "k", value: "{{#unless b.id}}{{/unless}}" }] }),
      ),
    );
    expect(lifetimes).toEqual([
      { index: 0, lastReader: 3 },
      { index: 1, lastReader: 4 },
    ]);
  });

  it("a name belongs to the latest operation of that name before the reader", async () => {
    const { lifetimes } = await check(
      fileOf(
        folder("a"),
        reader("{{ a.id }}"),
        folder("a"),
        folder("a"),
        reader("{{ a.id }}"),
        reader("{{ a.id }}"),
      ),
    );
    expect(lifetimes).toEqual([
      { index: 0, lastReader: 1 },
      { index: 3, lastReader: 5 },
    ]);
  });

  it("lifetimes include operations reached only through an alias or a look-up", async () => {
    const { lifetimes } = await check(
      fileOf(
        folder("a"),
        folder("b"),
        folder("c"),
        reader(
          "{{#with a as |x|}}{{x.id}}{{/with}}{{ lookup b 'id' }}{{#each defaults.languages}}{{ @root.c.id }}{{/each}}",
        ),
      ),
    );
    expect(lifetimes.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it("the lifetimes of many names are found, and warnings beyond the limit are counted", async () => {
    const names = inRelease ? 20_000 : 4_000;
    const operations = Array.from({ length: names }, (_, index) =>
      index % 2 === 0 ? folder(`f-${index}`) : reader(`{{ f-${index - 1}.id }} {{ nope-${index}.id }}`),
    );
    const { lifetimes, warningCount, issues } = await check(fileOf(...operations));
    expect(lifetimes).toHaveLength(names / 2);
    expect(lifetimes.every(({ index, lastReader }) => lastReader === index + 1)).toBe(true);
    expect([warningCount, issues.length]).toEqual([names / 2, 1_000]);
  });
});
