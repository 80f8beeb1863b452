import type { Intent } from "@lading/schema";
import { describe, expect, test } from "vitest";
import { inRelease } from "../../../../../test/support/extent.ts";
import { itemTopics } from "../../../src/storage/collections/item-topics.ts";
import { topicContents } from "../../../src/storage/collections/topic-contents.ts";
import { topics } from "../../../src/storage/collections/topics.ts";
import type { Shop, WrittenPayload } from "../../support/commands.ts";
import { onPostgres, race } from "../../support/concurrent-writers.ts";
import { create, newItem, newTopic } from "../item/support.ts";

const rounds = inRelease ? 5 : 2;
const writers = Array.from({ length: 6 });

describe("concurrent writers on PostgreSQL", () => {
  let shop: Shop;
  onPostgres((opened) => {
    shop = opened;
  });

  const raceBetween = async (...operations: (readonly [Intent, WrittenPayload])[]) =>
    (await race(shop, operations)).sort();

  test("concurrent writers create topics of one name, with children, and each gets its own path", async () => {
    for (let round = 0; round < rounds; round++) {
      const payload = { language: "en", name: `Wood ${round}`, children: [{ name: "Oak" }, { name: "Ash" }] };
      const outcome = await raceBetween(...writers.map(() => ["topic/create", payload] as const));
      expect(outcome).toEqual(writers.map(() => "created"));
    }
    const roots = (await shop.all(topicContents)).filter(({ parentId }) => parentId === "");
    const numbers = ["", "-2", "-3", "-4", "-5", "-6"];
    const expected = Array.from({ length: rounds }, (_, i) => numbers.map((number) => `wood-${i}${number}`));
    expect(roots.map(({ pathIdentifier }) => pathIdentifier).sort()).toEqual(expected.flat().sort());
  });

  test("concurrent writers create folders of one name", async () => {
    const payload = newItem(shop, "folder", { name: "Chairs" });
    expect(await raceBetween(...writers.map(() => ["folder/create", payload] as const))).toEqual(
      writers.map(() => "created"),
    );
  });

  test("writers of one path identifier make one topic, and the others' errors name its owner", async () => {
    const payload = { language: "en", name: "Wood", pathIdentifier: "wood" };
    const outcome = await raceBetween(...writers.map(() => ["topic/create", payload] as const));
    expect(outcome).toEqual([...writers.slice(1).map(() => "TopicPathTakenError"), "created"]);
  });

  test("writers of one resource identifier make one topic", async () => {
    const payload = { language: "en", name: "Wood", resourceIdentifier: "wood" };
    const outcome = await raceBetween(...writers.map(() => ["topic/upsert", payload] as const));
    expect(outcome).toEqual(["created", ...writers.slice(1).map(() => "unchanged")]);
  });

  test("no item is left with a topic that is being deleted", async () => {
    for (let round = 0; round < rounds; round++) {
      const topicId = await newTopic(shop);
      const item = newItem(shop, "document", { topicIds: [topicId] });
      const outcome = await raceBetween(["topic/delete", { topicId }], ["document/create", item]);
      expect([
        ["TopicNotFoundError", "deleted"],
        ["created", "deleted"],
      ]).toContainEqual(outcome);
      expect(await shop.get(topics, topicId)).toBeUndefined();
    }
    expect(await shop.all(itemTopics)).toEqual([]);
  });

  test("two writers cannot put two topics, or two folders by shortcuts, under each other", async () => {
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [await newTopic(shop), await newTopic(shop)];
      const under = (topicId: string, parentId: string) =>
        ["topic/update", { topicId, language: "en", parentId }] as const;
      expect(await raceBetween(under(a, b), under(b, a))).toEqual(["ConflictError", "updated"]);
      const [c, d] = [await create(shop, "folder"), await create(shop, "folder")];
      const shown = (itemId: string, parentId: string) =>
        ["item/paths/addShortcuts", { itemId, shortcuts: [{ parentId }] }] as const;
      expect(await raceBetween(shown(c, d), shown(d, c))).toEqual(["ConflictError", "updated"]);
      const [e, f] = [await create(shop, "folder"), await create(shop, "folder")];
      const move = ["folder/update", { itemId: e, language: "en", tree: { parentId: f } }] as const;
      expect(await raceBetween(move, shown(f, e))).toEqual(["ConflictError", "updated"]);
    }
  });
});
