import { beforeAll, describe, expect, test } from "vitest";
import { searchedValues } from "../../src/storage/queries/search.ts";
import { useApi } from "../http/support.ts";

interface Hit {
  kind: string;
  field: string;
  value: string;
  key: string;
  name: string | null;
  language: string | null;
  item: { id: string } | null;
}

describe("a search", () => {
  let itemId: string;
  const api = useApi();
  beforeAll(async () => {
    const write = async (type: string, mutation: string) => {
      const result = `{ ... on ${type} { __typename } ... on BasicError { message } }`;
      const { made } = await api.data(`mutation { made: ${mutation} ${result} }`);
      expect(made).toEqual({ __typename: type });
    };
    await write("Shape", 'createShape(input: {identifier: "plant", name: "Plant", type: product})');
    const vatTypeId = api.shop.tenant.settings.vatTypes[0]?.id;
    for (const [name, sku] of [
      ["Tree Fern", "fern-tree"],
      ["100%_\\\\ Ärtig", "art-1"],
      ["Fern small", "fern-small"],
    ])
      await write(
        "Product",
        `createProduct(language: "en", input: {name: "${name}", shapeIdentifier: "plant", tree: {parentId: "${api.shop.tenant.rootItemId}"},
          vatTypeId: "${vatTypeId}", externalReference: "erp-${sku}", variants: [{sku: "${sku}", isDefault: true, name: "v"}]})`,
      );
    const customer = '{identifier: "c-fern", type: individual';
    await write("Customer", `createCustomer(input: ${customer}, email: "ann@fern.example"})`);
    const names = 'firstName: "Ann", lastName: "Oakley", companyName: "Oak & Sons"';
    await write("Customer", `createCustomer(input: {identifier: "c-2", type: individual, ${names}})`);
    await write(
      "Topic",
      'createTopic(language: "en", input: {name: "Oak wood", resourceIdentifier: "t-oak"})',
    );
    await write("Piece", 'createPiece(input: {identifier: "p-1", name: "Oak care", components: []})');
    await write(
      "PriceList",
      `createPriceList(input: {identifier: "oak-sale", name: "Autumn", modifierType: PERCENTAGE,
      selectedProductVariants: {type: ALL_SKUS}, targetAudience: {type: EVERYONE}, priceVariants: [{identifier: "default", modifier: -5}]})`,
    );
    const cart = 'cart: [{name: "Cup", quantity: 1}], resourceIdentifier: "order-of-fern"';
    await write("OrderConfirmation", `registerOrder(input: {customer: ${customer}}, ${cart}})`);
    itemId = (await find("Tree Fern"))[0]?.item?.id ?? "";
  });

  const query = `query ($text: String!, $kinds: [SearchKind!], $first: Int, $after: String) {
    search(text: $text, kinds: $kinds, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { cursor node { kind field value key name language item { id name } topic { displayName { name } } variant { sku } customer { identifier }
        order { resourceIdentifier } } } } }`;
  const page = (text: string, given: object = {}) => api.field(query, { text, ...given });
  const nodes = ({ edges }: { edges: { node: Hit }[] }) => edges.map(({ node }) => node);
  async function find(text: string, given: object = {}): Promise<Hit[]> {
    const found: Hit[] = [];
    for (let after: string | null = null; ; ) {
      const { edges, pageInfo } = await page(text, { ...given, after });
      found.push(...nodes({ edges }));
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) return found;
    }
  }
  const values = (hits: readonly Hit[]) => hits.map(({ kind, field, value }) => `${kind} ${field} ${value}`);

  test.each([
    ["", "text has 0 characters"],
    ["  ", "text has 0 characters"],
    ["x".repeat(1024 * 1024), "text has 1048576 characters; it must have 1 to 200"],
    ["a\0b", "NUL"],
    ["\ud800", "unpaired surrogate"],
  ])("the text %j is refused", async (text, message) => {
    const { body } = await api.ask(query, { text });
    expect(body.errors[0].extensions.code).toBe("ValidationError");
    expect(body.errors[0].message).toContain(message);
  });

  test.each(["x", "WyJhIl0", Buffer.from('["order","none","","",""]').toString("base64url")])(
    "the cursor %s, of no search, is refused",
    async (after) => {
      const { body } = await api.ask(query, { text: "fern", after });
      expect(body.errors[0].extensions.code).toBe("ValidationError");
    },
  );

  test.each([
    "f%",
    "_ern",
    "fern'",
    "'; --",
    "\\",
    "f".repeat(200),
    "/nowhere",
    `/${"a/".repeat(90)}`,
    "f".repeat(24),
  ])("the text %j finds nothing that does not have it", async (text) => {
    const found = values(await find(text)).filter((hit) => !hit.includes("100%"));
    expect(found).toEqual([]);
  });

  test.each(["%_", "_\\", "\\ ÄRT", "100%", "ÄRTIG"])(
    "%j is searched literally, ignoring case",
    async (text) => {
      expect(values(await find(text, { kinds: ["item"] }))).toEqual(["item name 100%_\\ Ärtig"]);
    },
  );

  test("a text is found in the names and identifiers of items, variants, customers and orders", async () => {
    const found = await find("FERN");
    expect(values(found)).toEqual([
      "item name Fern small",
      "item name Tree Fern",
      "item externalReference erp-fern-small",
      "item externalReference erp-fern-tree",
      "variant sku fern-small",
      "variant sku fern-tree",
      "customer identifier c-fern",
      "customer email ann@fern.example",
      "order resourceIdentifier order-of-fern",
    ]);
    expect(found[0]).toMatchObject({ language: "en", item: { name: "Fern small" }, variant: null });
    expect(found[4]).toMatchObject({ language: null, item: null, variant: { sku: "fern-small" } });
    expect(found[7]).toMatchObject({ customer: { identifier: "c-fern" }, order: null });
    expect(found[8]).toMatchObject({ customer: null, order: { resourceIdentifier: "order-of-fern" } });
    expect(values(await find("fern", { kinds: ["variant", "order"] })).length).toBe(3);
    expect(await find("fern", { kinds: [] })).toEqual([]);
  });

  test("customers, topics, pieces and price lists are found by their names, and have these", async () => {
    const found = await find("OAK");
    expect(values(found)).toEqual([
      "customer name Ann Oakley Oak & Sons",
      "topic resourceIdentifier t-oak",
      "topic name Oak wood",
      "priceList identifier oak-sale",
      "piece name Oak care",
    ]);
    expect(found.map(({ key, name }) => [key, name])).toEqual([
      ["c-2", "Ann Oakley Oak & Sons"],
      [expect.stringMatching(/^[0-9a-f]{24}$/), null],
      [expect.stringMatching(/^[0-9a-f]{24}$/), null],
      ["oak-sale", "Autumn"],
      ["p-1", "Oak care"],
    ]);
    expect(found[1]).toMatchObject({ language: null, topic: { displayName: { name: "Oak wood" } } });
    expect(found[2]).toMatchObject({ language: "en", topic: { displayName: { name: "Oak wood" } } });
    expect(values(await find("ann oak"))).toEqual(["customer name Ann Oakley Oak & Sons"]);
    for (const first of [1, 2, 3, 4, 5]) expect(await find("oak", { first })).toEqual(found);
  });

  test.each([1, 2, 3, 4, 8, 9])("pages of %i have every hit once", async (first) => {
    expect(values(await find("fern", { first }))).toEqual(values(await find("fern")));
  });

  test("an item is found by its path and by its id, as a whole", async () => {
    expect(values(await find("/tree-fern"))).toEqual(["item path /tree-fern"]);
    expect((await find("/tree-fern"))[0]).toMatchObject({ language: "en", item: { id: itemId } });
    expect(values(await find(itemId))).toEqual([`item id ${itemId}`]);
    expect(await find(itemId.slice(0, 20))).toEqual([]);
  });

  test("a name that several items have is read in pages, too", async () => {
    await api.database.execute(
      `INSERT INTO items (tenant_id, id, type, shape_identifier, parent_id, sort_key, created_at, updated_at)
       SELECT $1, 'i' || n, 'product', 'plant', $2, 'z' || n, now(), now() FROM generate_series(10, 14) n`,
      [api.shop.tenant.id, api.shop.tenant.rootItemId],
    );
    await api.database.execute(
      `INSERT INTO item_contents (tenant_id, item_id, language, version, version_id, name, components, updated_at)
       SELECT $1, 'i' || n, l, 'draft', 'v', 'Same', '[]', now()
       FROM generate_series(10, 14) n, unnest(ARRAY['de', 'en']) l`,
      [api.shop.tenant.id],
    );
    for (const first of [1, 3, 10, 11])
      expect((await find("same", { first })).map(({ language }) => language)).toEqual(
        Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? "de" : "en")),
      );
  });

  test("a search scans a limited number of values for a page, and resumes where it stopped", async () => {
    await api.database.execute(
      `INSERT INTO customers (tenant_id, identifier, type, external_references, meta, addresses, parents, created_at,
         updated_at)
       SELECT $1, 'n' || n, 'individual', '[]', '[]', '[]', '[]', now(), now() FROM generate_series(1, $2::int) n`,
      [api.shop.tenant.id, searchedValues + 10],
    );
    const kinds = ["customer"];
    const first = await page("N99999", { kinds });
    expect([first.edges, first.pageInfo.hasNextPage]).toEqual([[], true]);
    expect(await find("zz", { kinds })).toEqual([]);
    expect(values(await find("N9999", { kinds }))).toEqual(["customer identifier n9999"]);
    const rename = "UPDATE customers SET last_name = 'Zeta' WHERE tenant_id = $1 AND identifier = 'n9998'";
    await api.database.execute(rename, [api.shop.tenant.id]);
    expect(values(await find("zeta", { kinds }))).toEqual(["customer name Zeta"]);
  }, 60_000);
});
