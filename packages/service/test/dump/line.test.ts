import fc from "fast-check";
import { expect, test } from "vitest";
import { characters } from "../../../../test/support/characters.ts";
import { runs } from "../../../../test/support/extent.ts";
import { lineWriter, replaceMarked } from "../../src/domain/dump/line.ts";
import { operation } from "../../src/domain/dump/operation.ts";

const root = "0".repeat(23).padEnd(24, "1");
const tenant = { id: "f".repeat(24), rootItemId: root };
const line = (intent: Parameters<typeof operation>[0], fields: object) =>
  lineWriter(tenant)(operation(intent, { ...fields }));
const key = `${tenant.id}/tea.png`;

test("the id of the root folder in a text, a key or content of any form is unchanged", () => {
  const fields = {
    name: root,
    [root]: root,
    meta: [{ key: "parentId", parentId: root, value: root }],
    tree: { parentId: root },
    components: [{ componentId: root, itemRelations: { itemIds: [root] }, singleLine: { text: root } }],
  };
  const written = JSON.parse(line("folder/upsert", fields));
  const template = "{{ defaults.rootItemId }}";
  expect(written).toEqual({
    ...fields,
    intent: "folder/upsert",
    tree: { parentId: template },
    components: [{ ...fields.components[0], itemRelations: { itemIds: [template] } }],
  });
});

test("the id of a topic that equals the root folder's is unchanged", () => {
  const written = JSON.parse(line("topic/upsert", { topicId: root, parentId: root }));
  expect(written).toEqual({ intent: "topic/upsert", topicId: root, parentId: root });
});

test("the key of an image in a text, and one that no image has, stay as they are", async () => {
  const fields = {
    components: [
      { componentId: "a", singleLine: { text: key } },
      { componentId: "c", videos: [{ key }] },
      { componentId: "b", images: [{ key }, { key: `${key}"gone` }, { key: "elsewhere" }] },
    ],
    meta: [{ key, images: [{ key }] }],
  };
  const asked: string[] = [];
  const lines = await replaceMarked(line("document/update", fields), async (kind, keys) => {
    expect(kind).toBe("image");
    asked.push(...keys);
    return new Map([[key, "{{ upload }}"]]);
  });
  expect(asked).toEqual([key, `${key}"gone`]);
  const { components, meta } = JSON.parse(lines);
  expect([components[0], components[1], meta]).toEqual([...fields.components.slice(0, 2), fields.meta]);
  expect(components[2].images).toEqual([
    { key: "{{ upload }}" },
    { key: `${key}"gone` },
    { key: "elsewhere" },
  ]);
});

test("a line is the JSON of the operation with sorted keys, whatever texts it has", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: characters }), fc.jsonValue({ maxDepth: 2 })), (json) => {
      const fields = JSON.parse(JSON.stringify(json).replaceAll("{{", "{ {"));
      const text = line("order/update", fields);
      expect(JSON.parse(text)).toEqual({ ...fields, intent: "order/update" });
      expect(text).not.toMatch(/\n/);
      expect(Object.keys(JSON.parse(text)).filter((name) => !/^\d+$/.test(name))).toEqual(
        Object.keys({ ...fields, intent: "" })
          .filter((name) => !/^\d+$/.test(name))
          .sort(),
      );
    }),
    { numRuns: runs(50) },
  );
});

test("texts with braces are escaped, also in content of any form", () => {
  expect(JSON.parse(line("order/update", { meta: [{ key: "k", value: "{{ x }}" }], a: "{ {" }))).toEqual({
    intent: "order/update",
    a: "{ {",
    meta: [{ key: "k", value: "\\{{ x }}" }],
  });
});
