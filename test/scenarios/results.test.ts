import { type Intent, intentNames, type ResultBranch, resultProperties } from "@lading/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ExampleService, openExampleService } from "../support/examples.ts";
import { type FinishedTask, runFile, serviceEngines } from "../support/service.ts";

/** The reference result table of the specification: by intent, what a later operation may refer to. */
const specified: Partial<Record<Intent, string>> = {
  "piece/create": "identifier",
  "piece/update": "id.identifier type name",
  "shape/create": "identifier",
  "shape/update": "id.identifier type name",
  "folder/create": "id.value language versionLabel",
  "folder/update": "id.id id.language id.versionLabel",
  "document/create": "id language versionLabel",
  "product/create": "id language versionLabel",
  "document/update": "id.id id.language id.versionLabel",
  "product/update": "id.id id.language id.versionLabel",
  "item/updateComponent/item": "id",
  "item/updateComponent/sku": "id",
  "item/publish": "language",
  "item/unpublish": "language",
  "product/variant/stock/modify": "id",
  "product/variant/create": "sku",
  "product/variant/update": "sku",
  "product/variant/delete": "sku",
  "customer/update": "email identifier firstName lastName",
  "customer/group/update": "type identifier",
  "order/register": "id",
  "order/update": "id",
  "subscription-contract/create": "id",
  "subscription-contract/update": "id",
  "pricelist/update": "name identifier modifierType",
  "image/register": "id language",
};

const en = { language: "en" };
const root = { tree: { parentId: "{{ defaults.rootItemId }}" } };
const image = '{{ upload "https://images.example.com/sencha.png" }}';
const cart = [{ name: "Tea", quantity: 1 }];
const vat = { vatTypeId: "{{ defaults.vatTypeIds.[0] }}" };
const paths = { itemId: "{{ folder_create.id }}", ...en, paths: ["/a"] };
const shortcut = { itemId: "{{ document_create.id }}" };
const lead = { component: { componentId: "lead", singleLine: { text: "Lead" } } };
const list = {
  modifierType: "RELATIVE",
  priceVariants: [{ identifier: "default", modifier: 1 }],
  selectedProductVariants: { type: "ALL_SKUS" },
  targetAudience: { type: "EVERYONE" },
};
const contract = {
  customerIdentifier: "sen",
  subscriptionPlan: {
    identifier: "tea-of-the-month",
    periodId: "65a0c0ffee0000000000cafe",
    periodName: "Monthly",
  },
  status: { activeUntil: "2030-01-31T00:00:00Z", renewAt: "2030-01-31T00:00:00Z" },
  item: { sku: "tea-1", name: "Tea" },
  recurring: { currency: "EUR", price: 11, period: 1, unit: "month" },
};
const sen = { identifier: "sen", email: "sen@example.com", firstName: "Sen", lastName: "Rikyu" };

type Payload = Record<string, unknown>;
type Row = [intent: Intent, branch: Intent, payload: Payload];

/** An upsert is executed twice: what it creates it changes then. */
const both = (intent: Intent, created: Payload, changed: Payload): Row[] => {
  const [creates, updates] = resultProperties[intent] as [ResultBranch, ResultBranch];
  return [
    [intent, creates.intent, created],
    [intent, updates.intent, { ...created, ...changed }],
  ];
};

const same = (intent: Intent, payload: Payload): Row => [intent, intent, payload];

const item = (kind: "folder" | "document" | "product", more: Payload = {}): Row[] => {
  const made = { ...en, shapeIdentifier: kind, name: kind, ...root, ...more };
  return [
    same(`${kind}/create`, { ...made, resourceIdentifier: `${kind}-1`, ...variant(kind, 1) }),
    same(`${kind}/update`, { ...en, resourceIdentifier: `${kind}-1`, name: "Changed" }),
    ...both(
      `${kind}/upsert`,
      { ...made, resourceIdentifier: `${kind}-2`, ...variant(kind, 2) },
      { name: "Changed" },
    ),
  ];
};
const variant = (kind: string, number: number) =>
  kind === "product" && { ...vat, variants: [{ sku: `tea-${number}`, name: "Tea" }] };

/** Every intent, an upsert for each of its branches, in an order in which all can be executed. */
const rows: Row[] = [
  same("piece/create", { identifier: "one", name: "One" }),
  same("piece/update", { identifier: "one", name: "Changed" }),
  ...both("piece/upsert", { identifier: "two", name: "Two" }, { name: "Changed" }),
  same("shape/create", { identifier: "one", name: "One", type: "folder" }),
  same("shape/update", { identifier: "one", name: "Changed" }),
  ...both("shape/upsert", { identifier: "two", name: "Two", type: "document" }, { name: "Changed" }),
  ...item("folder"),
  ...item("document"),
  ...item("product"),
  same("product/variant/create", { productId: "{{ product_create.id }}", ...en, sku: "a", name: "A" }),
  same("product/variant/update", { sku: "a", ...en, name: "Changed" }),
  ...both(
    "product/variant/upsert",
    { productId: "{{ product_create.id }}", ...en, sku: "b", name: "B" },
    { name: "Changed" },
  ),
  same("product/variant/delete", { sku: "a" }),
  same("product/variant/stock/modify", {
    ...{ sku: "b", stockLocationIdentifier: "default", operation: "increase", quantity: 1 },
  }),
  same("product/variant/price/modify", { sku: "b", priceVariantIdentifier: "default", price: 2 }),
  same("item/updateComponent/item", { itemId: "{{ document_create.id }}", ...en, ...lead }),
  same("item/updateComponent/sku", { sku: "b", ...en, ...lead }),
  same("item/publish", { itemId: "{{ document_create.id }}", ...en }),
  same("item/unpublish", { itemId: "{{ document_create.id }}", ...en }),
  ...(["add", "set", "remove"] as const).flatMap((change) => [
    same(`item/paths/${change}Aliases`, paths),
    same(`item/paths/${change}History`, paths),
    change === "remove"
      ? same("item/paths/removeShortcuts", { ...shortcut, parentIds: ["{{ folder_create.id }}"] })
      : same(`item/paths/${change}Shortcuts`, {
          ...shortcut,
          shortcuts: [{ parentId: "{{ folder_create.id }}" }],
        }),
  ]),
  same("topic/create", { ...en, name: "One" }),
  same("topic/update", { ...en, topicId: "{{ topic_create.id }}", name: "Changed" }),
  ...both("topic/upsert", { ...en, resourceIdentifier: "two", name: "Two" }, { name: "Changed" }),
  same("topic/delete", { resourceIdentifier: "two" }),
  same("flow/create", {
    identifier: "one",
    name: "One",
    type: "item",
    stages: [{ identifier: "s", name: "S" }],
  }),
  same("flow/update", { identifier: "one", name: "Changed" }),
  ...both("flow/upsert", { identifier: "two", name: "Two", type: "item", stages: [] }, { name: "Changed" }),
  same("item/flow/stage/addItems", { stageIdentifier: "s", items: [{ id: "{{ document_create.id }}" }] }),
  same("item/delete", { itemId: "{{ document_create.id }}" }),
  same("image/register", { key: image, ...en }),
  same("customer/create", sen),
  same("customer/update", { ...sen, lastName: "Changed" }),
  ...both("customer/upsert", { ...sen, identifier: "two" }, { lastName: "Changed" }),
  same("customer/group/create", { identifier: "one", name: "One" }),
  same("customer/group/update", { identifier: "one", name: "Changed" }),
  ...both("customer/group/upsert", { identifier: "two", name: "Two" }, { name: "Changed" }),
  same("order/register", { customer: { identifier: "sen" }, cart }),
  same("order/update", { id: "{{ order_register.id }}", type: "draft" }),
  ...both(
    "order/upsert",
    { resourceIdentifier: "two", customer: { identifier: "sen" }, cart },
    { type: "draft" },
  ),
  same("subscription-contract/create", contract),
  same("subscription-contract/update", { id: "{{ subscription_contract_create.id }}", meta: [{ key: "a" }] }),
  ...both(
    "subscription-contract/upsert",
    { resourceIdentifier: "two", ...contract },
    { meta: [{ key: "a" }] },
  ),
  same("pricelist/create", { identifier: "one", name: "One", ...list }),
  same("pricelist/update", { identifier: "one", name: "Changed" }),
  ...both("pricelist/upsert", { identifier: "two", name: "Two", ...list }, { name: "Changed" }),
  same("pricelist/selectedProductVariants/upsert", { identifier: "one", variants: [{ sku: "b" }] }),
  same("pricelist/selectedProductVariants/remove", { identifier: "one", skus: ["b"] }),
];

/** The `_ref` of a row: the intent for its own branch, with the branch behind it for one of an upsert. */
const refOf = ([intent, branch]: Row) =>
  (intent === branch ? intent : `${intent}_${branch}`).replace(/[/-]/g, "_");

/** What a result holds beside the specification's table, so that the key of what was written can always be referred to. */
const documented = ([intent, branch]: Row): string[] =>
  resultProperties[intent]
    .filter((each) => each.intent === branch)
    .flatMap(({ properties }) => properties.map((path) => path.join(".")));

/** An operation that stores all that a result holds, as its templates render. */
const probe = (row: Row) => {
  const read = documented(row).map((path) => `${path}={{ ${refOf(row)}.${path} }}`);
  const id = `{{#if ${refOf(row)}.id.id}}{{ ${refOf(row)}.id.id }}{{else}}{{ ${refOf(row)}.id }}{{/if}}`;
  const hasId = documented(row).some((path) => /^id(\.id|\.value)?$/.test(path));
  const name = [...read, ...(hasId ? [`either=${id}`] : [])].join(" ");
  return { intent: "customer/group/upsert", identifier: `probe of ${refOf(row)}`, name };
};

const components = [{ id: "lead", name: "Lead", type: "singleLine" }];
const setup = [
  { intent: "shape/upsert", identifier: "folder", name: "Folder", type: "folder" },
  { intent: "shape/upsert", identifier: "document", name: "Document", type: "document", components },
  {
    intent: "shape/upsert",
    identifier: "product",
    name: "P",
    type: "product",
    variantComponents: components,
  },
];

const operations = [
  ...setup,
  ...rows.flatMap((row) => [{ _ref: refOf(row), intent: row[0], ...row[2] }, probe(row)]),
];

describe("the table of results", () => {
  test("has a row for every intent, for each branch of an upsert", () => {
    const expected = intentNames.flatMap((intent) =>
      resultProperties[intent].map((branch) => `${branch.intent} by ${intent}`),
    );
    expect(rows.map(([intent, branch]) => `${branch} by ${intent}`).sort()).toEqual(expected.sort());
  });

  test.each(Object.entries(specified))(
    "of the specification, %s: %s, is part of what is documented",
    (intent, list) => {
      expect(documented(same(intent as Intent, {}))).toEqual(expect.arrayContaining(list.split(" ")));
    },
  );
});

describe.each(serviceEngines)("the results on %s", (engine) => {
  let service: ExampleService;
  let task: FinishedTask;
  let probes: Map<string, string>;
  beforeAll(async () => {
    service = await openExampleService(engine);
    const tenant = await service.tenant("results");
    task = await runFile(tenant, service.fetchable(JSON.stringify({ version: "1.0.0", operations })));
    const { customerGroups } = await tenant.graphql<{
      customerGroups: { edges: { node: { identifier: string; name: string } }[] };
    }>(
      `{ customerGroups(first: 1000) { ... on CustomerGroupConnection { edges { node { identifier name } } }
         ... on BasicError { message } } }`,
    );
    probes = new Map(customerGroups.edges.map(({ node }) => [node.identifier, node.name]));
  });
  afterAll(() => service.close());

  test("are those of operations that all succeed; a warning names what one branch of an upsert lacks", () => {
    expect(
      task.log.filter(({ status }) => status !== "success").map(({ intent, message }) => [intent, message]),
    ).toEqual([]);
    expect(task.status).toBe("complete");
    expect(new Set(task.issues.map(({ code, severity }) => `${severity} ${code}`))).toEqual(
      new Set(["warning BranchProperty"]),
    );
  });

  test.each(rows)("of %s, branch %s, are in the log and in templates", (...row) => {
    const [intent, branch] = row;
    const entry = task.log.find(({ ref }) => ref === refOf(row));
    expect(entry).toMatchObject({ intent, status: "success" });
    if (intent !== branch) expect(entry?.action).toBe(/\/update$/.test(branch) ? "updated" : "created");
    const output = entry?.output ?? {};
    expect(pathsOf(output).sort()).toEqual(documented(row).sort());
    const rendered = documented(row).map((path) => `${path}=${valueAt(output, path)}`);
    const id = valueAt(output, "id.id") ?? valueAt(output, "id.value") ?? valueAt(output, "id");
    const either = typeof id === "string" ? [`either=${id}`] : [];
    expect(probes.get(`probe of ${refOf(row)}`)).toBe([...rendered, ...either].join(" "));
  });

  test("say which item, language and version, by what the operation was given", () => {
    const outputOf = (ref: string) => task.log.find((entry) => entry.ref === ref)?.output;
    expect(outputOf("product_create")).toMatchObject({ language: "en", versionLabel: "draft" });
    expect(outputOf("piece_update")).toEqual({
      id: { identifier: "one" },
      identifier: "one",
      type: "piece",
      name: "Changed",
    });
    expect(outputOf("shape_upsert_shape_update")).toMatchObject({ type: "document", name: "Changed" });
    expect(outputOf("customer_update")).toEqual({ ...sen, lastName: "Changed" });
    expect(outputOf("pricelist_update")).toEqual({
      identifier: "one",
      name: "Changed",
      modifierType: "RELATIVE",
    });
    expect(outputOf("product_variant_stock_modify")?.id).toBe(outputOf("product_create")?.id);
  });
});

/** `{id: {id, language}, name}` → `id.id`, `id.language`, `name` */
function pathsOf(output: object): string[] {
  return Object.entries(output).flatMap(([name, value]) =>
    typeof value === "object" && value !== null ? pathsOf(value).map((path) => `${name}.${path}`) : [name],
  );
}

const valueAt = (output: object, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], output);
