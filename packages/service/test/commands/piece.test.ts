import { beforeEach, expect, test } from "vitest";
import { type PieceRow, pieces } from "../../src/storage/collections/pieces.ts";
import { newId } from "../../src/storage/ids.ts";
import { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { describeOnEngines, type Shop } from "../support/commands.ts";

const title = { id: "title", name: "Title", type: "singleLine", config: { singleLine: { required: true } } };
const uses = (identifier: string, id = identifier) => ({
  id,
  type: "piece",
  config: { piece: { identifier } },
});
const piece = (identifier: string, ...components: object[]) => ({ identifier, name: identifier, components });

/** Stores pieces that no single writer could: their cycle needs two writers that don't see each other. */
async function storeCircle(shop: Shop, a: string, b: string): Promise<void> {
  const now = new Date().toISOString();
  const row = (identifier: string, other: string): PieceRow => ({
    ...{ identifier, name: identifier, revision: newId(), createdAt: now, updatedAt: now },
    components: [{ id: other, name: other, type: "piece", config: { piece: { identifier: other } } }],
  });
  await shop.database.transaction(async (transaction) => {
    const unit = new UnitOfWork(transaction, shop.tenant.id);
    unit.insert(pieces, row(a, b));
    unit.insert(pieces, row(b, a));
    await unit.flush();
  });
}

describeOnEngines("a piece", (shop) => {
  test("a piece takes settings directly from config, as old files write them", async () => {
    const flat = { ...title, config: { required: true, max: 9 } };
    const choices = [flat, { ...flat, id: "other" }];
    const choice = { id: "choice", name: "Choice", type: "componentChoice", config: { choices } };
    await shop().done("piece/create", piece("seo", choice));
    const settled = { ...title, config: { singleLine: { required: true, max: 9 } } };
    expect((await shop().get(pieces, "seo"))?.components).toEqual([
      { ...choice, config: { componentChoice: { choices: [settled, { ...settled, id: "other" }] } } },
    ]);
  });

  test.each(["piece/create", "piece/upsert"] as const)(
    "%s refuses a piece whose identifier has a character that is not allowed",
    async (intent) => {
      const refusal = await shop().refused(intent, piece("seo/meta", title));
      expect(refusal).toMatchObject({ name: "InvalidIdError", errors: [{ path: ["identifier"] }] });
      expect(refusal.message).toContain('"seo/meta"');
      expect(await shop().all(pieces)).toEqual([]);
    },
  );

  test.each(["seo", "seo-meta_2", "a b", "Größe", "x;y:z+1@(2)", "v1.0"])(
    "a piece is called %s",
    async (identifier) => {
      expect((await shop().done("piece/create", piece(identifier))).output).toEqual({ identifier });
    },
  );

  test("a piece is not created twice", async () => {
    await shop().done("piece/create", piece("seo", title));
    const refusal = await shop().refused("piece/create", piece("seo"));
    expect(refusal).toMatchObject({ name: "PieceIdentifierTakenError", statusCode: 409 });
    expect((await shop().get(pieces, "seo"))?.components).toEqual([title]);
  });

  test("a piece is not updated when it does not exist", async () => {
    const refusal = await shop().refused("piece/update", piece("seo"));
    expect(refusal).toMatchObject({ name: "PieceNotFoundError", statusCode: 404 });
    expect(refusal.message).toContain('"seo"');
  });

  test("a piece is refused for invalid definitions, each with its path", async () => {
    const refusal = await shop().refused("piece/create", piece("seo", title, title));
    expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["components", 1, "id"] }] });
  });

  test("a piece is refused when pieces it uses do not exist, each named with its path", async () => {
    const chunk = {
      id: "rows",
      type: "contentChunk",
      config: { contentChunk: { components: [uses("deep")] } },
    };
    const refusal = await shop().refused("piece/create", piece("seo", title, uses("layout"), chunk));
    expect(refusal).toMatchObject({ name: "PieceNotFoundError", statusCode: 404 });
    expect(refusal.message).toMatch(/"layout".*"deep"/);
    await shop().done("piece/create", piece("layouts", title));
    expect(await shop().refused("piece/create", piece("seo", uses("layout")))).toMatchObject({
      message: 'There is no piece "layout". Did you mean "layouts"? Create it before what uses it.',
    });
    expect(await shop().refused("piece/update", piece("layout"))).toMatchObject({
      message: 'There is no piece "layout". Did you mean "layouts"?',
    });
    expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([
      "components.1.config.piece.identifier",
      "components.2.config.contentChunk.components.0.config.piece.identifier",
    ]);
  });

  test.each(["piece/create", "piece/upsert"] as const)("%s refuses a piece within itself", async (intent) => {
    const refusal = await shop().refused(intent, piece("seo", uses("seo")));
    expect(refusal).toMatchObject({
      name: "ValidationError",
      message: 'The piece "seo" would contain itself',
      errors: [{ path: ["components", 0, "config", "piece", "identifier"] }],
    });
  });

  test.each(["piece/update", "piece/upsert"] as const)(
    "%s refuses a piece within its parts",
    async (intent) => {
      await shop().done("piece/create", piece("inner", title));
      await shop().done("piece/create", piece("middle", title, uses("inner")));
      await shop().done("piece/create", piece("outer", uses("middle")));
      const refusal = await shop().refused(intent, piece("inner", title, uses("outer")));
      expect(refusal).toMatchObject({
        name: "ValidationError",
        errors: [{ path: ["components", 1, "config", "piece", "identifier"] }],
      });
      expect(refusal.message).toContain('"outer"');
      expect((await shop().get(pieces, "inner"))?.components).toEqual([title]);
    },
  );

  test("a piece can be written although others are in a circle", async () => {
    await storeCircle(shop(), "egg", "hen");
    expect((await shop().done("piece/upsert", piece("farm", uses("egg")))).action).toBe("created");
    expect((await shop().done("piece/upsert", piece("hen"))).action).toBe("updated");
  });

  test("a piece may use pieces of the same batch, but not one that failed in it", async () => {
    const [first, second, third] = await shop().batch([
      ["piece/create", piece("layout", title)],
      ["piece/create", piece("wrong", title, title)],
      ["piece/create", piece("banner", uses("layout"), uses("wrong"))],
    ]);
    expect([first, second, third]).toMatchObject([
      { action: "created" },
      { name: "ValidationError" },
      { name: "PieceNotFoundError", errors: [{ message: expect.stringContaining('"wrong"') }] },
    ]);
  });

  test("the normal form of a piece has the component's id for a missing name, and settings under config", async () => {
    await shop().done("piece/upsert", {
      ...{ identifier: "seo", name: "SEO" },
      components: [{ id: "title", type: "singleLine", singleLine: { required: true } }],
    });
    expect(await shop().get(pieces, "seo")).toMatchObject({
      name: "SEO",
      components: [{ ...title, name: "title" }],
    });
  });

  test("a piece and the pieces it uses are loaded with the batch, in whatever form they are written", async () => {
    await shop().done("piece/create", piece("inner", title));
    await shop().done("piece/create", piece("outer", uses("inner")));
    const inline = { id: "o", type: "piece", piece: { identifier: "outer" } };
    await shop().done("piece/upsert", piece("page", inline));
    expect(shop().statements.execute).toBe(0);
  });
});

describeOnEngines("an update of a piece", (shop) => {
  beforeEach(() => shop().done("piece/create", piece("seo", title)));

  test.each(["piece/update", "piece/upsert"] as const)(
    "%s that changes nothing writes nothing",
    async (intent) => {
      const before = await shop().get(pieces, "seo");
      const { action, output } = await shop().done(intent, piece("seo", title));
      expect({ action, output }).toEqual({
        action: "unchanged",
        output: { id: { identifier: "seo" }, identifier: "seo", type: "piece", name: "seo" },
      });
      expect(shop().statements.flush).toBe(0);
      expect(await shop().get(pieces, "seo")).toEqual(before);
    },
  );

  test("an update of a piece keeps components that are not sent", async () => {
    const before = await shop().get(pieces, "seo");
    const { action, output } = await shop().done("piece/update", { identifier: "seo", name: "Search" });
    expect([action, output.name]).toEqual(["updated", "Search"]);
    const after = await shop().get(pieces, "seo");
    expect(after).toMatchObject({ name: "Search", components: [title], createdAt: before?.createdAt });
    expect(after?.revision).not.toBe(before?.revision);
  });

  test("an update of a piece replaces the components that are sent", async () => {
    await shop().done("piece/upsert", piece("seo", { ...title, id: "text", name: "Text" }));
    expect((await shop().get(pieces, "seo"))?.components.map(({ id }) => id)).toEqual(["text"]);
  });

  test.each([[null], [[]]])("an update of a piece with components %j drops them", async (components) => {
    await shop().done("piece/update", { identifier: "seo", name: "seo", components });
    expect((await shop().get(pieces, "seo"))?.components).toEqual([]);
  });
});
