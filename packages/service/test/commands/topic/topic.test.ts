import { beforeEach, expect, test } from "vitest";
import { itemTopics } from "../../../src/storage/collections/item-topics.ts";
import { topicContents } from "../../../src/storage/collections/topic-contents.ts";
import { topics } from "../../../src/storage/collections/topics.ts";
import { describeOnEngines, outcomesOf, type WrittenPayload } from "../../support/commands.ts";
import { create, newTopic, prepare, topicsOf } from "../item/support.ts";

const unknownId = "0123456789abcdef01234567";

describeOnEngines("a topic", (shop) => {
  beforeEach(() => prepare(shop()));

  const made = async (payload: WrittenPayload): Promise<string> => {
    const { output } = await shop().done("topic/create", { language: "en", ...payload });
    return output.id as string;
  };
  const contentOf = (id: string, language = "en") => shop().get(topicContents, id, language);
  const namesUnder = async (parentId: string) =>
    (await shop().all(topicContents))
      .filter((content) => content.parentId === parentId && content.language === "en")
      .map(({ name, pathIdentifier }) => `${name} ${pathIdentifier}`)
      .sort();

  const wrong: [what: string, payload: WrittenPayload, path: string, message: string, name?: string][] = [
    ["a language that the tenant lacks", { language: "de" }, "language", '"de"', "SettingNotFoundError"],
    ["a parent that does not exist", { parentId: unknownId }, "parentId", unknownId, "TopicNotFoundError"],
    [
      "a name of 513 characters",
      { name: "x".repeat(513) },
      "name",
      "name has 513 characters; the limit is at most 512",
    ],
    [
      "a path identifier of 65 characters",
      { pathIdentifier: "x".repeat(65) },
      "pathIdentifier",
      "pathIdentifier has 65 characters; the limit is at most 64",
    ],
    [
      "a color that is none",
      { displayColor: "#ff99" },
      "displayColor",
      'displayColor is "#ff99"; use # and 3 or 6 hexadecimal digits',
    ],
    [
      "a resource identifier of 513 characters",
      { resourceIdentifier: "x".repeat(513) },
      "resourceIdentifier",
      "at most 512",
    ],
    [
      "more than 30 topics in one operation",
      { children: [{ name: "a", children: Array.from({ length: 29 }, (_, i) => ({ name: `b${i}` })) }] },
      "children",
      "The operation has 31 topics; the limit is 30",
    ],
    [
      "a child whose name is too long",
      { children: [{ name: "a", children: [{ name: "x".repeat(513) }] }] },
      "children.0.children.0.name",
      "children[0].children[0].name has 513 characters",
    ],
    [
      "two children of one path identifier",
      { children: [{ name: "Oak" }, { name: "Wood", pathIdentifier: "oak" }] },
      "children.1",
      'children[0] and children[1] both have the path identifier "oak"',
    ],
  ];

  test.each(wrong)("a topic is not created with %s", async (_, payload, path, message, name) => {
    const refusal = await shop().refused("topic/create", { language: "en", name: "Wood", ...payload });
    expect(refusal.name).toBe(name ?? "ValidationError");
    expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([path]);
    expect(refusal.message).toContain(message);
    expect(await shop().all(topics)).toEqual([]);
  });

  test("a topic is not created with the path identifier of another under its parent", async () => {
    const wood = await made({ name: "Wood", pathIdentifier: "wood" });
    const refusal = await shop().refused("topic/create", {
      language: "en",
      name: "Forest",
      pathIdentifier: "wood",
    });
    expect(refusal).toMatchObject({
      name: "TopicPathTakenError",
      statusCode: 409,
      message: `The topic "Wood" (${wood}) has the path identifier "wood" at the root in "en"`,
      errors: [{ path: ["pathIdentifier"] }],
    });
  });

  test("a topic is not created with the resource identifier of another", async () => {
    const wood = await made({ name: "Wood", resourceIdentifier: "mine" });
    const refusal = await shop().refused("topic/create", {
      language: "en",
      name: "Forest",
      resourceIdentifier: "mine",
    });
    expect(refusal).toMatchObject({ name: "ResourceIdentifierTakenError" });
    expect(refusal.message).toContain(wood);
  });

  test.each(["topic/update", "topic/delete"] as const)("%s needs a topic that exists", async (intent) => {
    const byId = await shop().refused(intent, { language: "en", topicId: unknownId });
    expect(byId).toMatchObject({ name: "TopicNotFoundError", errors: [{ path: ["topicId"] }] });
    const byName = await shop().refused(intent, { language: "en", resourceIdentifier: "nix" });
    expect(byName).toMatchObject({ name: "TopicNotFoundError", errors: [{ path: ["resourceIdentifier"] }] });
  });

  test.each(["topic/update", "topic/upsert"] as const)("%s puts no topic below itself", async (intent) => {
    const top = await made({ name: "top" });
    const middle = await made({ name: "middle", parentId: top });
    const bottom = await made({ name: "bottom", parentId: middle });
    for (const parentId of [top, middle, bottom]) {
      const refusal = await shop().refused(intent, { topicId: top, language: "en", name: "top", parentId });
      expect(refusal).toMatchObject({ name: "ConflictError", errors: [{ path: ["parentId"] }] });
      expect(refusal.message).toContain(parentId === top ? "itself" : `${parentId}, which is below it`);
    }
    expect((await shop().get(topics, top))?.parentId).toBeNull();
  });

  test("a topic needs a name to get another language, and keeps one in each", async () => {
    const topicId = await made({ name: "Wood" });
    const refusal = await shop().refused("topic/update", { topicId, language: "no" });
    expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["name"] }] });
    expect(await shop().refused("topic/update", { topicId, language: "en", name: null })).toMatchObject({
      name: "ValidationError",
      message: "name is null; a topic has a name",
    });
    await shop().done("topic/update", { topicId, language: "no", name: "Tre" });
    expect([await contentOf(topicId), await contentOf(topicId, "no")]).toMatchObject([
      { name: "Wood", pathIdentifier: "wood" },
      { name: "Tre", pathIdentifier: "tre" },
    ]);
  });

  test("a topic is not deleted while it has children, nor when two names mean different topics", async () => {
    const topicId = await made({ name: "Wood", children: [{ name: "Oak" }] });
    const withChildren = await shop().refused("topic/delete", { topicId });
    expect(withChildren).toMatchObject({
      name: "TopicHasChildrenError",
      statusCode: 409,
      message: `The topic "Wood" (${topicId}) has 1 child; delete or move them first`,
    });
    const ambiguous = await shop().refused("topic/delete", { topicId, resourceIdentifier: "mine" });
    expect(ambiguous).toMatchObject({ name: "ConflictError", errors: [{ path: ["resourceIdentifier"] }] });
    expect(await shop().all(topics)).toHaveLength(2);
  });

  test("a deleted topic is removed from its items", async () => {
    const [wood, oak] = [await newTopic(shop(), "Wood"), await newTopic(shop(), "Oak")];
    const itemId = await create(shop(), "document", { topicIds: [wood, oak] });
    expect(await shop().done("topic/delete", { topicId: wood })).toEqual({
      action: "deleted",
      output: { id: wood },
    });
    expect(await topicsOf(shop(), itemId)).toEqual([oak]);
    expect(await shop().get(topics, wood)).toBeUndefined();
    expect(await contentOf(wood)).toBeUndefined();
  });

  test("an item from which a deleted topic was taken is unchanged by the topics that are left", async () => {
    const [wood, oak, ash] = [
      await newTopic(shop(), "Wood"),
      await newTopic(shop(), "Oak"),
      await newTopic(shop()),
    ];
    const itemId = await create(shop(), "document", { topicIds: [wood, oak, ash] });
    await shop().done("topic/delete", { topicId: wood });
    const put = (topicIds: string[]) => shop().done("document/update", { itemId, language: "en", topicIds });
    expect(await put([oak, ash])).toMatchObject({ action: "unchanged" });
    expect(await put([ash, oak])).toMatchObject({ action: "updated" });
    expect(await topicsOf(shop(), itemId)).toEqual([ash, oak]);
  });

  test("a deleted topic is taken from an item of the same batch, and may come back", async () => {
    const itemId = await create(shop(), "document");
    const outcomes = await shop().batch([
      ["topic/upsert", { topicId: unknownId, language: "en", name: "Wood" }],
      ["document/update", { itemId, language: "en", topicIds: [unknownId] }],
      ["topic/delete", { topicId: unknownId }],
      ["document/update", { itemId, language: "en", topicIds: [unknownId] }],
      ["topic/upsert", { topicId: unknownId, language: "en", name: "Wood" }],
    ]);
    expect(outcomesOf(outcomes)).toBe("created updated deleted TopicNotFoundError created");
    expect(await shop().all(itemTopics)).toEqual([]);
  });

  test("a topic stays when an item that has it is deleted", async () => {
    const wood = await newTopic(shop());
    const itemId = await create(shop(), "document", { topicIds: [wood] });
    await shop().done("item/delete", { itemId });
    expect(await shop().all(itemTopics)).toEqual([]);
    expect(await shop().get(topics, wood)).toBeDefined();
  });

  test("a topic is created together with the tree below it", async () => {
    const result = await shop().done("topic/create", {
      language: "en",
      name: "Sports",
      displayColor: "#F90",
      pathIdentifier: "sports",
      resourceIdentifier: "sports-1",
      meta: [{ key: "season", value: "all" }],
      children: [
        { name: "Ball games", children: [{ name: "Football", pathIdentifier: "soccer" }] },
        { name: "Chess" },
      ],
    });
    const id = result.output.id as string;
    expect(result).toEqual({ action: "created", output: { id } });
    expect(await shop().get(topics, id)).toMatchObject({
      parentId: null,
      displayColor: "#F90",
      resourceIdentifier: "sports-1",
      meta: [{ key: "season", value: "all" }],
    });
    expect(await namesUnder("")).toEqual(["Sports sports"]);
    expect(await namesUnder(id)).toEqual(["Ball games ball-games", "Chess chess"]);
    const below = (await shop().all(topics)).filter(({ parentId }) => parentId === id);
    const games = below.map((topic) => topic.id).sort()[0] as string;
    expect(await namesUnder(games)).toEqual(["Football soccer"]);
  });

  test("a topic whose name another has under its parent gets a number, and elsewhere none", async () => {
    const wood = await made({ name: "Wood" });
    await made({ name: "WOOD!" });
    await made({ name: "Wood", parentId: wood });
    await made({ language: "no", name: "Wood" });
    const stored = (await shop().all(topicContents)).map(({ pathIdentifier }) => pathIdentifier);
    expect(stored.sort()).toEqual(["wood", "wood", "wood", "wood-2"]);
  });

  test("a topic whose name has no letter has its id for a path identifier", async () => {
    const id = await made({ name: "木" });
    expect((await contentOf(id))?.pathIdentifier).toBe(id);
  });
});
