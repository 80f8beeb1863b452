import { beforeEach, expect, test } from "vitest";
import { shapes } from "../../src/storage/collections/shapes.ts";
import { describeOnEngines } from "../support/commands.ts";

const title = { id: "title", name: "Title", type: "singleLine" };
const usesPiece = (identifier: string) => ({
  id: identifier,
  type: "piece",
  config: { piece: { identifier } },
});
const shape = (identifier: string, more: object = {}) => ({
  identifier,
  name: identifier,
  type: "product",
  ...more,
});

describeOnEngines("a shape", (shop) => {
  test.each(["shape/create", "shape/upsert"] as const)(
    "%s refuses a shape whose identifier has a character that is not allowed",
    async (intent) => {
      const refusal = await shop().refused(intent, shape("shoe/boot"));
      expect(refusal).toMatchObject({ name: "InvalidIdError", errors: [{ path: ["identifier"] }] });
      expect(await shop().all(shapes)).toEqual([]);
    },
  );

  test("a shape is not created twice", async () => {
    await shop().done("shape/create", shape("shoe"));
    const refusal = await shop().refused("shape/create", shape("shoe", { type: "folder" }));
    expect(refusal).toMatchObject({ name: "ShapeIdentifierTakenError", statusCode: 409 });
    expect((await shop().get(shapes, "shoe"))?.type).toBe("product");
  });

  test("a shape is not created twice in one batch", async () => {
    const [, second] = await shop().batch([
      ["shape/create", shape("shoe")],
      ["shape/create", shape("shoe")],
    ]);
    expect(second).toMatchObject({ name: "ShapeIdentifierTakenError" });
    expect(await shop().all(shapes)).toHaveLength(1);
  });

  test("a shape is not updated when it does not exist", async () => {
    const refusal = await shop().refused("shape/update", { identifier: "shoe", name: "Shoe" });
    expect(refusal).toMatchObject({ name: "ShapeNotFoundError", statusCode: 404 });
    expect(refusal.message).toContain('"shoe"');
  });

  test("the error about an unknown shape names the nearest one of the tenant, even of the same batch", async () => {
    const update = (identifier: string) => shop().refused("shape/update", { identifier, name: "n" });
    expect((await update("shoe")).message).toBe('There is no shape "shoe". There are none.');
    await shop().done("shape/create", shape("boots"));
    expect((await update("shoe")).message).toBe('There is no shape "shoe". There is "boots".');
    await (await shop().neighbour()).done("shape/create", shape("shoe"));
    const [first, , third, fourth] = await shop().batch([
      ["shape/update", { identifier: "shoe", name: "n" }],
      ["shape/create", shape("shoes")],
      ["shape/update", { identifier: "shoe", name: "n" }],
      ["product/upsert", { name: "n", language: "en", shapeIdentifier: "boot" }],
    ]);
    expect([first, third, fourth]).toMatchObject([
      { message: 'There is no shape "shoe". There is "boots".' },
      { message: 'There is no shape "shoe". Did you mean "shoes"?' },
      { message: 'There is no shape "boot". Did you mean "boots"?' },
    ]);
  });

  test("a shape that many operations name wrongly is looked up once in a batch", async () => {
    await shop().done("shape/create", shape("boots"));
    const wrong = { name: "n", language: "en", shapeIdentifier: "boot" };
    await shop().batch(Array.from({ length: 3 }, () => ["product/upsert", wrong]));
    expect(shop().statements.execute).toBe(1);
  });

  test.each(["folder", "document"])("a %s shape cannot have variant components", async (type) => {
    const refusal = await shop().refused("shape/create", shape("shoe", { type, variantComponents: [title] }));
    expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["variantComponents"] }] });
    expect(refusal.message).toContain(type);
    await shop().done("shape/create", shape("shoe", { type, variantComponents: [] }));
    const update = { identifier: "shoe", name: "shoe", variantComponents: [title] };
    expect(await shop().refused("shape/update", update)).toMatchObject({ name: "ValidationError" });
  });

  test("a shape is refused with definitions that break a rule, in either list", async () => {
    const lists = { components: [title, title], variantComponents: [title, title, title] };
    const refusal = await shop().refused("shape/upsert", shape("shoe", lists));
    expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([
      "components.1.id",
      "variantComponents.1.id",
      "variantComponents.2.id",
    ]);
  });

  test("a shape is refused when pieces that it uses do not exist, in either list", async () => {
    const lists = { components: [usesPiece("seo")], variantComponents: [title, usesPiece("size")] };
    const refusal = await shop().refused("shape/upsert", shape("shoe", lists));
    expect(refusal).toMatchObject({ name: "PieceNotFoundError", statusCode: 404 });
    expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([
      "components.0.config.piece.identifier",
      "variantComponents.1.config.piece.identifier",
    ]);
    expect(await shop().all(shapes)).toEqual([]);
  });

  test("a shape may accept items of shapes that do not exist, itself among them", async () => {
    const related = {
      ...{ id: "related", type: "itemRelations" },
      config: { itemRelations: { acceptedShapeIdentifiers: ["shoe", "sock"] } },
    };
    expect((await shop().done("shape/create", shape("shoe", { components: [related] }))).action).toBe(
      "created",
    );
  });

  test("a shape may use pieces that exist, and is loaded with them", async () => {
    await shop().done("piece/create", { identifier: "seo", name: "SEO", components: [title] });
    await shop().done("shape/upsert", shape("shoe", { variantComponents: [usesPiece("seo")] }));
    expect(shop().statements).toEqual({ prefetch: 2, execute: 0, flush: 1 });
  });

  test("a shape can be created without components, so that others can refer to it", async () => {
    await shop().done("shape/create", shape("shoe", { components: null }));
    expect(await shop().get(shapes, "shoe")).toMatchObject({
      components: [],
      variantComponents: [],
      meta: null,
    });
  });
});

describeOnEngines("an update of a shape", (shop) => {
  const full = shape("shoe", {
    components: [title],
    variantComponents: [title],
    meta: { key: "a", value: "b" },
  });
  beforeEach(() => shop().done("shape/create", full));

  test("an update cannot change the type of a shape", async () => {
    const refusal = await shop().refused("shape/upsert", { ...full, type: "folder" });
    expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["type"] }] });
    expect(refusal.message).toMatch(/product.*folder/);
  });

  test("an update of a shape that changes nothing writes nothing", async () => {
    const before = await shop().get(shapes, "shoe");
    expect(await shop().done("shape/upsert", full)).toEqual({
      action: "unchanged",
      output: { id: { identifier: "shoe" }, identifier: "shoe", type: "product", name: "shoe" },
    });
    expect(shop().statements.flush).toBe(0);
    expect(await shop().get(shapes, "shoe")).toEqual(before);
  });

  test("an update of a shape keeps what is not sent", async () => {
    const before = await shop().get(shapes, "shoe");
    expect((await shop().done("shape/update", { identifier: "shoe", name: "Boot" })).action).toBe("updated");
    const after = await shop().get(shapes, "shoe");
    expect(after).toEqual({
      ...before,
      name: "Boot",
      revision: after?.revision,
      updatedAt: after?.updatedAt,
    });
    expect(after?.revision).not.toBe(before?.revision);
  });

  test("an update of a shape clears what is null", async () => {
    const nothing = { components: null, variantComponents: null, meta: null };
    await shop().done("shape/update", { identifier: "shoe", name: "shoe", ...nothing });
    expect(await shop().get(shapes, "shoe")).toMatchObject({
      components: [],
      variantComponents: [],
      meta: null,
    });
  });

  test("an update of a shape replaces a list that is sent, and no other", async () => {
    await shop().done("shape/upsert", shape("shoe", { components: [{ ...title, id: "headline" }] }));
    const after = await shop().get(shapes, "shoe");
    expect(after?.components.map(({ id }) => id)).toEqual(["headline"]);
    expect(after?.variantComponents.map(({ id }) => id)).toEqual(["title"]);
  });
});
