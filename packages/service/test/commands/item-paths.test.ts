import { beforeEach, describe, expect, test } from "vitest";
import { maxHistory } from "../../src/domain/path/item-paths.ts";
import { itemAliases } from "../../src/storage/collections/item-aliases.ts";
import { itemFormerPaths } from "../../src/storage/collections/item-former-paths.ts";
import { describeOnEngines } from "../support/commands.ts";
import { aliasTests } from "./item/alias-tests.ts";
import { publishedPathTests } from "./item/published-path-tests.ts";
import { create, historyOf, prepare } from "./item/support.ts";

const unknownId = "0123456789abcdef01234567";

const intents = {
  Aliases: ["item/paths/addAliases", "item/paths/setAliases", "item/paths/removeAliases"],
  History: ["item/paths/addHistory", "item/paths/setHistory", "item/paths/removeHistory"],
} as const;

describeOnEngines("the paths of an item", (shop) => {
  let itemId: string;
  beforeEach(async () => {
    await prepare(shop());
    itemId = await create(shop(), "document", { resourceIdentifier: "mine" });
  });

  const pathsOf = async (what: keyof typeof intents, language = "en", id = itemId): Promise<string[]> => {
    if (what === "History") return historyOf(shop(), id, language);
    const aliases = (await shop().all(itemAliases)).filter((alias) => alias.itemId === id);
    return aliases.flatMap((alias) => (alias.language === language ? [alias.path] : [])).sort();
  };

  const all = [...intents.Aliases, ...intents.History];

  test.each(all)("%s refuses an item or a language that does not exist", async (intent) => {
    const payload = { language: "en", paths: ["/a"] };
    expect(await shop().refused(intent, { itemId: unknownId, ...payload })).toMatchObject({
      name: "ItemNotFoundError",
      errors: [{ path: ["itemId"] }],
    });
    expect(await shop().refused(intent, { itemId, ...payload, language: "de" })).toMatchObject({
      name: "SettingNotFoundError",
      errors: [{ path: ["language"] }],
    });
    const root = shop().tenant.rootItemId;
    expect(await shop().refused(intent, { itemId: root, ...payload })).toMatchObject({
      name: "ConflictError",
      message: expect.stringContaining("root folder"),
    });
  });

  test.each(all.filter((intent) => !intent.includes("remove")))(
    "%s checks each path, and names the index of a wrong one",
    async (intent) => {
      const paths = ["/right", "wrong", "/a//b", "/a/", "/a b", "/a?b", "/", `/${"x".repeat(512)}`];
      const refusal = await shop().refused(intent, { itemId, language: "en", paths });
      expect(refusal).toMatchObject({ name: "ValidationError", statusCode: 400 });
      expect(refusal.errors.map(({ path }) => path)).toEqual(paths.slice(1).map((_, i) => ["paths", i + 1]));
      expect(refusal.message).toContain('paths[1] is "wrong"; a path is like /shop/shoes');
      expect(refusal.errors.at(-1)?.message).toContain("513 characters; the limit is at most 512");
    },
  );

  test.each(["item/paths/addAliases", "item/paths/setAliases"] as const)(
    "%s gives no path away: an alias leads to one item of a language",
    async (intent) => {
      const other = await create(shop(), "folder");
      await shop().done(intent, { itemId: other, language: "en", paths: ["/sofas"] });
      const refusal = await shop().refused(intent, { itemId, language: "en", paths: ["/couches", "/sofas"] });
      expect(refusal).toMatchObject({
        name: "PathTakenError",
        statusCode: 409,
        message: `The item ${other} has the alias "/sofas" in "en"`,
        errors: [{ path: ["paths", 1] }],
      });
      expect(await pathsOf("Aliases")).toEqual([]);
      expect((await shop().done(intent, { itemId, language: "no", paths: ["/sofas"] })).action).toBe(
        "updated",
      );
    },
  );

  test("an item keeps at most 100 former paths", async () => {
    const paths = Array.from({ length: maxHistory }, (_, i) => `/old-${i}`);
    await shop().done("item/paths/setHistory", { itemId, language: "en", paths });
    const refusal = await shop().refused("item/paths/addHistory", {
      itemId,
      language: "en",
      paths: ["/one"],
    });
    expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["paths"] }] });
    expect(refusal.message).toContain('101 former paths in "en"; the limit is 100');
    expect(await pathsOf("History")).toEqual(paths);
  });

  test.each(["Aliases", "History"] as const)("%s can be added, set and removed, repeatedly", async (what) => {
    const [add, set, remove] = intents[what];
    const named = { resourceIdentifier: "mine", language: "en" };
    const steps = [
      [add, ["/a", "/b", "/a"], ["/a", "/b"]],
      [add, ["/c"], ["/a", "/b", "/c"]],
      [remove, ["/b", "/nothing"], ["/a", "/c"]],
      [set, ["/c", "/d"], ["/c", "/d"]],
      [set, [], []],
    ] as const;
    for (const [intent, paths, expected] of steps) {
      expect(await shop().done(intent, { ...named, paths })).toEqual({
        action: "updated",
        output: { id: itemId },
      });
      expect(await pathsOf(what)).toEqual(expected);
      expect((await shop().done(intent, { ...named, paths })).action).toBe("unchanged");
      expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    }
  });

  test("the paths of one language stay when those of another are set", async () => {
    for (const intent of ["item/paths/setAliases", "item/paths/setHistory"] as const)
      for (const language of ["en", "no"]) {
        await shop().done(intent, { itemId, language, paths: [`/${language}`] });
      }
    for (const what of ["Aliases", "History"] as const)
      expect([await pathsOf(what), await pathsOf(what, "no")]).toEqual([["/en"], ["/no"]]);
  });

  test("two items can swap their paths in one batch", async () => {
    const other = await create(shop(), "folder");
    await shop().done("item/paths/setAliases", { itemId, language: "en", paths: ["/a"] });
    await shop().done("item/paths/setAliases", { itemId: other, language: "en", paths: ["/b"] });
    await shop().batch([
      ["item/paths/setAliases", { itemId, language: "en", paths: [] }],
      ["item/paths/setAliases", { itemId: other, language: "en", paths: ["/a"] }],
      ["item/paths/setAliases", { itemId, language: "en", paths: ["/b"] }],
    ]);
    expect([await pathsOf("Aliases"), await pathsOf("Aliases", "en", other)]).toEqual([["/b"], ["/a"]]);
  });

  describe("once it is published", () => publishedPathTests(shop));

  describe("as aliases next to the paths of others", () => aliasTests(shop));

  test("a deleted item takes its paths with it, and frees them", async () => {
    await shop().done("item/paths/setAliases", { itemId, language: "en", paths: ["/a"] });
    await shop().done("item/paths/setHistory", { itemId, language: "en", paths: ["/b"] });
    await shop().done("item/delete", { itemId });
    expect([await shop().all(itemAliases), await shop().all(itemFormerPaths)]).toEqual([[], []]);
  });
});
