import { beforeEach, expect, test } from "vitest";
import { topicContents } from "../../../src/storage/collections/topic-contents.ts";
import { topics } from "../../../src/storage/collections/topics.ts";
import { describeOnEngines } from "../../support/commands.ts";
import { newTopic, prepare } from "../item/support.ts";

const unknownId = "0123456789abcdef01234567";

describeOnEngines("a change of a topic", (shop) => {
  beforeEach(() => prepare(shop()));

  const wood = { topicId: unknownId, language: "en", name: "Wood", pathIdentifier: "timber" };
  const contentOf = (id: string, language = "en") => shop().get(topicContents, id, language);

  test("an upsert of a topic creates it with its id, then changes nothing, then what differs", async () => {
    expect(await shop().done("topic/upsert", { ...wood, displayColor: "#123456" })).toEqual({
      action: "created",
      output: { id: unknownId },
    });
    const before = await shop().all(topics);
    expect(await shop().done("topic/upsert", wood)).toEqual({
      action: "unchanged",
      output: { id: unknownId },
    });
    expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    expect(await shop().all(topics)).toEqual(before);
    expect((await shop().done("topic/upsert", { ...wood, displayColor: null })).action).toBe("updated");
    expect(await shop().get(topics, unknownId)).toMatchObject({ displayColor: null });
  });

  test("an upsert finds a topic by its resource identifier", async () => {
    const named = { resourceIdentifier: "wood-1", language: "en", name: "Wood" };
    const { output } = await shop().done("topic/upsert", named);
    expect(await shop().done("topic/upsert", { ...named, name: "Forest" })).toEqual({
      action: "updated",
      output,
    });
    expect(await contentOf(output.id as string)).toMatchObject({ name: "Forest", pathIdentifier: "wood" });
  });

  test("an upsert creates and renames the topics listed below its own, and leaves the rest", async () => {
    const children = [{ name: "Oak", children: [{ name: "White oak" }] }, { name: "Ash" }];
    await shop().done("topic/upsert", { ...wood, children });
    expect((await shop().done("topic/upsert", { ...wood, children })).action).toBe("unchanged");
    const changed = [
      { name: "OAK", children: [{ name: "Red oak" }] },
      { name: "Elm", pathIdentifier: "elm" },
    ];
    expect((await shop().done("topic/upsert", { ...wood, children: changed })).action).toBe("updated");
    const names = (await shop().all(topicContents)).map(({ name }) => name);
    expect(names.sort()).toEqual(["Ash", "Elm", "OAK", "Red oak", "White oak", "Wood"]);
  });

  test("a renamed topic keeps its path identifier, unless asked to derive it from the name", async () => {
    await shop().done("topic/upsert", wood);
    await shop().done("topic/update", { topicId: unknownId, language: "en", name: "Forest" });
    expect(await contentOf(unknownId)).toMatchObject({ name: "Forest", pathIdentifier: "timber" });
    await shop().done("topic/update", { topicId: unknownId, language: "en", pathIdentifier: null });
    expect(await contentOf(unknownId)).toMatchObject({ name: "Forest", pathIdentifier: "forest" });
  });

  test("a topic moves in every language, to another path identifier where its own is taken", async () => {
    await shop().done("topic/upsert", wood);
    await shop().done("topic/update", { topicId: unknownId, language: "no", name: "Tre" });
    const parentId = await newTopic(shop(), "Materials");
    await shop().done("topic/create", { language: "en", name: "Timber", parentId });
    await shop().done("topic/update", { topicId: unknownId, language: "en", parentId });
    expect(await shop().get(topics, unknownId)).toMatchObject({ parentId });
    expect(await contentOf(unknownId)).toMatchObject({ parentId, pathIdentifier: "timber-2" });
    expect(await contentOf(unknownId, "no")).toMatchObject({ parentId, pathIdentifier: "tre" });
    await shop().done("topic/update", { topicId: unknownId, language: "en", parentId: null });
    expect(await shop().get(topics, unknownId)).toMatchObject({ parentId: null });
    expect(await contentOf(unknownId, "no")).toMatchObject({ parentId: "" });
  });

  test("changing many topics in one batch needs as many statements as changing a few", async () => {
    const statements: number[] = [];
    for (const count of [3, 30]) {
      const operations = Array.from({ length: count }, (_, i) => ({
        ...{ language: "en", name: `Topic ${i}` },
        resourceIdentifier: `topic-${i}`,
      }));
      await shop().batch(operations.map((payload) => ["topic/upsert", payload]));
      await shop().batch(operations.map((payload) => ["topic/upsert", { ...payload, displayColor: "#fff" }]));
      const { prefetch, execute, flush } = shop().statements;
      statements.push(prefetch + execute + flush);
    }
    expect(statements[1]).toBeLessThanOrEqual(statements[0] as number);
  });
});
