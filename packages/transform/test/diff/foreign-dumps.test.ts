import { describe, expect, test } from "vitest";
import { InvalidDump } from "../../src/diff/reading/dump-reader.ts";
import { difference, document, dumpOf, id, product, readDump, type Written } from "./dump-of.ts";

function refusalOf(text: string): string | undefined {
  try {
    readDump(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidDump)) throw error;
    return error.message;
  }
}

const refusal = (...operations: readonly Written[]) => refusalOf(dumpOf(operations));

describe("a dump of an untrusted service", () => {
  test.each<[string, Written, RegExp]>([
    [
      "deletes",
      { intent: "item/delete", itemId: id(1) },
      /^line 2 has the intent "item\/delete", which no dump/,
    ],
    [
      "changes an entity",
      { intent: "customer/update", identifier: "ann", email: "a@b.example" },
      /has "email" in/,
    ],
    ["changes an item", { ...document(1, "A"), intent: "document/update" }, /has document\/update without/],
    ["is of no intent", { intent: "toString", a: 1 }, /has the intent "toString"/],
    [
      "has a list as its intent",
      { ...document(1, "A"), intent: ["document/upsert"] as never },
      /has the intent "/,
    ],
    ["is named", document(1, "A", { _ref: "a-b" }), /has "_ref" in document\/upsert/],
    ["lacks an id", { ...document(1, "A"), itemId: undefined }, /has document\/upsert without/],
    ["has a wrong payload", { ...document(1, "A"), tree: "root" }, /has a wrong document\/upsert: .*tree/],
    [
      "reads the tenant",
      document(1, '{{ fetchCustomer identifier="ann" property="email" }}'),
      /has the template/,
    ],
    ["reads the tenant", document(1, "a \\\\{{ defaults.rootItemId }}"), /has the template/],
    ["fetches any file", document(1, '{{ upload "https://a.example/" }}'), /has the template/],
    ["has several parts", shortcuts(2), /without exactly one of "shortcuts"/],
    [
      "is far from its folder",
      document(1, "A", { tree: { parentId: id(9) } }),
      /has an item before its folder/,
    ],
  ])("is refused with its line where an operation %s", (_, operation, message) => {
    expect(refusal(operation)).toMatch(message);
    expect(refusal(document(7, "B"), operation)).toMatch(/^line 3 /);
  });

  test("is refused where templates are hidden by escapes, or a line is not JSON, or of another version, or much too large", () => {
    const hidden = dumpOf([document(1, "A")]).replace('"A"', '"\\u007b{ defaults.name }}"');
    expect(refusalOf(hidden)).toMatch(/^line 2 has the template/);
    expect(refusalOf('{"intent":"item/delete"}\n')).toMatch(/^line 1 has the intent/);
    expect(refusalOf('{"version":"1.0.0","operations":[\n{"intent":\n]}\n')).toMatch(/^line 2 is not JSON/);
    expect(refusalOf('{"version":"2.0.0","operations":[\n]}\n')).toMatch(
      /^line 1 is not JSON, which no dump of this version has/,
    );
    const many = { componentId: "a", json: "x".repeat(100_000), list: Array(100_001).fill(0) };
    expect(refusal(document(1, "A", { components: [many] }))).toMatch(/more than 100000 values/);
    const deep = JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`);
    expect(refusal(document(1, "A", { components: [deep] }))).toMatch(/too deep/);
  });

  test.each<[string, unknown]>([
    ["reads the tenant", { itemId: id(1), language: "en", path: "/{{ defaults.name }}" }],
    ["has no language", { itemId: id(1), path: "/a" }],
    ["is none", "/a"],
  ])("is refused where an alias in its report %s", (_, alias) => {
    const aliases = [{ itemId: id(1), language: "en", path: "/a" }];
    const reporting = (listed: unknown[]) =>
      readDump(dumpOf([]), [{ what: "an alias", count: 1, examples: [], aliases: listed }]);
    expect(reporting(aliases).omittedAliases).toEqual([
      { intent: "item/paths/addAliases", itemId: id(1), language: "en", paths: ["/a"] },
    ]);
    expect(() => reporting([...aliases, alias])).toThrow(
      /^its report has .*, which no dump of this version has; nothing was written/,
    );
  });

  test("is refused where parts of one entity are not consecutive", () => {
    const publish = { intent: "item/publish", itemId: id(1), language: "en" };
    const group = { intent: "customer/group/upsert", identifier: "g" };
    expect(refusal(document(1, "A"), group, publish)).toMatch(/^line 4 has item\/publish apart/);
    expect(refusal(shortcuts(1), group, shortcuts(1))).toMatch(/^line 4 has .* apart/);
    const under = { tree: { parentId: id(1) } };
    const folders = [document(1, "A"), document(2, "B", under), document(3, "C"), document(4, "D", under)];
    expect(refusal(...folders)).toMatch(/apart from the others of its folder/);
  });

  test("is refused where an entity is in it twice, because it moved during the dump", () => {
    expect(refusal(document(1, "A"), document(2, "B"), document(1, "A"))).toMatch(
      /^it has 0+1 twice \(document\/upsert\): the tenant was changed while it was dumped/,
    );
    expect(refusal(document(1, "A"), document(1, "A"))).toMatch(/twice/);
    const ann = { intent: "customer/upsert", identifier: "ann" };
    expect(refusal(ann, ann)).toMatch(/^it has ann twice/);
  });
});

test("long names of plans and long paths take no longer than their text", () => {
  const meteredVariables = Array.from({ length: 1000 }, (_, i) => ({
    ...{ identifier: `v${i}`, tierType: "volume", tiers: [] },
  }));
  const contract = {
    ...{ intent: "subscription-contract/upsert", id: id(9), customerIdentifier: "ann" },
    ...{ subscriptionPlan: { identifier: "x".repeat(1e6), periodId: id(1), periodName: "P" } },
    ...{ item: { sku: "a" }, status: {}, recurring: { currency: "EUR", price: 1, meteredVariables } },
  };
  const paths = [`/${"-1".repeat(1e5)}x`];
  const written = [
    ...[document(1, "A"), contract],
    { intent: "item/paths/setHistory", itemId: id(1), language: "en", paths },
  ];
  const start = performance.now();
  expect(difference(written, written).operations).toEqual([]);
  expect(performance.now() - start).toBeLessThan(4000);
});

test("texts with braces, and the templates of dumps, are read as they are", () => {
  const texts = ["\\{{ x }}", "a \\\\{{!}}\\{{ b }} \\{{", "\\\\\\{{!}}\\{{"];
  const address = "https://a.example/media/0f/a.png";
  const images = [
    { key: `{{ upload "${address}" }}` },
    { key: `{{ upload "${address}" sha256="${"0f".repeat(32)}" }}` },
  ];
  const gallery = { componentId: "g", images };
  const wanted = [
    ...texts.map((name, i) => document(i + 1, name)),
    product(9, "Tea", ["a"], { components: [gallery] }),
  ];
  const { operations } = difference([], wanted);
  expect(operations.map(({ name }) => name)).toEqual([...texts, "Tea"]);
  expect(operations.at(-1)).toMatchObject({ components: [gallery] });
});

test("versions have names in languages of the longest codes", () => {
  const language = `en${"_a".repeat(31)}`;
  const _ref = `${language.replaceAll("_", "__")}_${id(1)}`;
  const publish = { intent: "item/publish", itemId: `{{ ${_ref}.id }}`, language };
  expect(refusal(document(1, "A", { _ref, language }), publish)).toBeUndefined();
});

test("images are equal by digest, whatever their keys, also where only one dump has the digest", () => {
  const showing = (key: string) => [
    product(9, "Tea", ["a"], { components: [{ componentId: "g", images: [{ key }] }] }),
  ];
  const digest = "0f".repeat(32);
  const uploaded = `{{ upload "https://a.example/media/${"12".repeat(16)}/a.png" sha256="${digest}" }}`;
  const fetched = `{{ upload "https://b.example/media/${digest.slice(32)}/b.png" sha256="${digest}" }}`;
  const without = `{{ upload "https://b.example/media/${digest.slice(32)}/b.png" }}`;
  const other = `{{ upload "https://b.example/media/${digest.slice(32)}/b.png" sha256="${"21".repeat(32)}" }}`;
  for (const same of [fetched, without])
    expect(difference(showing(uploaded), showing(same)).operations).toEqual([]);
  expect(difference(showing(uploaded), showing(other)).operations).toHaveLength(1);
});

function shortcuts(count: number): Written {
  const shortcuts = Array.from({ length: count }, () => ({ parentId: id(5) }));
  return { intent: "item/paths/addShortcuts", itemId: id(1), shortcuts };
}
