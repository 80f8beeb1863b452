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
