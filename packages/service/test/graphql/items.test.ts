import { describe, expect, test } from "vitest";
import { useItemsApi } from "./items-api.ts";

describe("items", () => {
  const api = useItemsApi();

  test("an item that does not exist, or does not match, is an error by name", async () => {
    const nobody = "f".repeat(24);
    const shoe = await api.product("Shoe of errors", { externalReference: "same" });
    await api.product("Another", { externalReference: "same" });
    const cases: [string, string, string?][] = [
      [`id: "${nobody}", language: "en"`, "ItemNotFoundError"],
      [`id: "no id", language: "en"`, "ItemNotFoundError"],
      [`resourceIdentifier: "none", language: "en"`, "ItemNotFoundError"],
      [`id: "${shoe}", language: "xx"`, "SettingNotFoundError"],
      [`id: "${shoe}", language: "en", version: published`, "ItemNotFoundError"],
      [`externalReference: "same", language: "en"`, "AmbiguousReferenceError"],
      [`language: "en"`, "ValidationError"],
      [`id: "${shoe}", resourceIdentifier: "x", language: "en"`, "ValidationError"],
      [`id: "a\\u0000b", language: "en"`, "ValidationError"],
    ];
    for (const [given, errorName] of cases)
      expect(await api.item(given), given).toEqual({ errorName, message: expect.any(String) });
    const asFolder = await api.data(
      `{ folder(id: "${shoe}", language: "en") { ... on Folder { id } ... on ItemNotFoundError { message } } }`,
    );
    expect(asFolder.folder.message).toBe(`The item with the id "${shoe}" is a product, not a folder`);
  });

  test("an item, a variant and a topic have a name to show in a language that lacks one, and none without any", async () => {
    const { rootItemId } = api.shop.tenant;
    const made = await api.data(
      `mutation {
         ja: createLanguage(input: {code: "ja", name: "Japanese"}) { ... on Language { code } ... on BasicError { message } }
         ar: createLanguage(input: {code: "ar", name: "Arabic"}) { ... on Language { code } ... on BasicError { message } }
         topic: createTopic(language: "ja", input: {name: "使い道"}) { ... on Topic { id } ... on BasicError { message } }
         tea: createProduct(language: "ja", input: {shapeIdentifier: "product", name: "玉露", tree: {parentId: "${rootItemId}"},
           vatTypeId: "${api.shop.tenant.settings.vatTypes[0]?.id}", variants: [{sku: "tea", isDefault: true, name: "缶"}]}) {
           ... on Product { id } ... on BasicError { message } } }`,
    );
    const id = made.tea.id;
    const shown = async (language: string) => {
      const { item, topic } = await api.data(
        `{ item(id: "${id}", language: "${language}") { ... on Item { displayName { name language } }
             ... on Product { variants { displayName { name language } } } ... on BasicError { message } }
           topic(id: "${made.topic.id}", language: "${language}") { ... on Topic { displayName { name language } } ... on BasicError { message } } }`,
      );
      return [item.displayName, item.variants[0].displayName, topic.displayName];
    };
    const japanese = ["玉露", "缶", "使い道"].map((name) => ({ name, language: "ja" }));
    expect(await shown("en")).toEqual(japanese);
    await api.data(
      `mutation { updateProduct(id: "${id}", language: "ar", input: {name: "جيوكورو"}) { ... on Product { id } ... on BasicError { message } } }`,
    );
    // Japanese comes before Arabic in the tenant's order.
    expect(await shown("en")).toEqual(japanese);
    expect((await shown("ar"))[0]).toEqual({ name: "جيوكورو", language: "ar" });
    expect(
      await api.item(
        `id: "${id}", language: "en"`,
        "languages { language name availableVersions { label } }",
      ),
    ).toEqual({
      languages: [
        { language: "ja", name: "玉露", availableVersions: [{ label: "draft" }] },
        { language: "ar", name: "جيوكورو", availableVersions: [{ label: "draft" }] },
      ],
    });
    expect(
      await api.item(`id: "${rootItemId}", language: "en"`, "displayName { name } languages { name }"),
    ).toEqual({ displayName: null, languages: [] });
  });

  test("the root item is a folder without a name, with the path /", async () => {
    expect(
      await api.item(
        `id: "${api.shop.tenant.rootItemId}", language: "en"`,
        "type name shapeIdentifier version { id } tree { path position parentId }",
      ),
    ).toEqual({
      type: "folder",
      name: null,
      shapeIdentifier: null,
      version: null,
      tree: { path: "/", position: null, parentId: null },
    });
  });
});
