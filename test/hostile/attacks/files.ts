import { type Attack, many } from "../attack.ts";

const mebibyte = 1024 ** 2;
const runs =
  (operations: () => Iterable<object>): Attack["run"] =>
  async ({ start, ended }) =>
    ended(await start(operations()));
const root = { parentId: "{{ defaults.rootItemId }}" };

const shape = (identifier: string, components: object[], type = "document") => ({
  ...{ intent: "shape/upsert", identifier, name: identifier, type, components },
});
const line = (i: number, config: object = {}) => ({
  id: `c${i}`,
  name: `C ${i}`,
  type: "singleLine",
  config,
});
const document = (name: string, shapeIdentifier: string, components: object[]) => ({
  ...{
    intent: "document/upsert",
    resourceIdentifier: name,
    name,
    language: "en",
    shapeIdentifier,
    tree: root,
    components,
  },
});

/** Operations of almost 100,000 values or almost 16 MiB, which is as much as one may have. */
const large: object[] = [
  { intent: "customer/upsert", identifier: "numbers", meta: many(99_000, (i) => i) },
  {
    intent: "customer/upsert",
    identifier: "pairs",
    meta: many(24_000, (i) => ({ key: `${i}`, value: "v" })),
  },
  { intent: "customer/upsert", identifier: "text", firstName: "x".repeat(15.9 * mebibyte) },
  {
    intent: "customer/upsert",
    identifier: "unknown",
    ...Object.fromEntries(many(99_000, (i) => [`f${i}`, i])),
  },
  {
    ...{
      intent: "product/upsert",
      resourceIdentifier: "p",
      name: "P",
      language: "en",
      shapeIdentifier: "product",
    },
    variants: many(12_000, (i) => ({
      sku: `sku-${i}`,
      name: "V",
      isDefault: i === 0,
      attributes: [{ attribute: "a", value: "b" }],
    })),
  },
  document(
    "components",
    "none",
    many(24_000, (i) => ({ componentId: `c${i}`, singleLine: { text: "text" } })),
  ),
  {
    intent: "shape/upsert",
    identifier: "wide",
    name: "W",
    type: "document",
    components: many(16_000, (i) => line(i)),
  },
  { intent: "order/register", cart: many(24_000, (i) => ({ name: `${i}`, quantity: 1, sku: `s${i}` })) },
];

/** Pieces that hold the one before twice: twenty of them stand for a million components. */
const doubling = (levels: number) => [
  { intent: "piece/upsert", identifier: "p-0", name: "P 0", components: [line(0), line(1)] },
  ...many(levels, (i) => ({
    ...{ intent: "piece/upsert", identifier: `p-${i + 1}`, name: `P ${i + 1}` },
    components: ["a", "b"].map((id) => ({
      id,
      name: id,
      type: "piece",
      config: { piece: { identifier: `p-${i}` } },
    })),
  })),
];

export const fileAttacks: Attack[] = [
  {
    name: "a-million-issues",
    run: async ({ startRaw, ended }) => {
      const stretch = Buffer.from('{"intent":"customer/upsret"},'.repeat(10_000));
      const parts = many(100, () => stretch);
      return ended(await startRaw(new Blob(['{"version":"1.0.0","operations":[', ...parts, "{}]}"])));
    },
  },
  {
    name: "a-million-warnings",
    run: async ({ startRaw, ended }) => {
      const stretch = Buffer.from(
        '{"intent":"customer/upsert","identifier":"{{ a.b }}{{ c.d }}","x":1},'.repeat(10_000),
      );
      const parts = many(34, () => stretch);
      return ended(await startRaw(new Blob(['{"version":"1.0.0","operations":[', ...parts, "{}]}"])));
    },
  },
  ...large.map(
    (operation): Attack => ({
      name: `a-large-operation-of-${(operation as { identifier?: string }).identifier ?? (operation as { intent: string }).intent.split("/")[0]}`,
      run: runs(() => many(3, () => operation)),
    }),
  ),
  {
    name: "content-of-10000-components",
    run: runs(() => [
      shape(
        "wide",
        many(10_000, (i) => line(i)),
      ),
      ...many(20, (i) =>
        document(
          `d-${i % 4}`,
          "wide",
          many(10_000, (c) => ({ componentId: `c${c}`, singleLine: { text: `t ${i}` } })),
        ),
      ),
    ]),
  },
  {
    name: "a-pattern-for-each-component",
    run: runs(() => [
      shape(
        "patterns",
        many(2_000, (i) => line(i, { singleLine: { pattern: `^(${"[a-z]{1,9}|".repeat(18)}${i})*$` } })),
      ),
      ...many(10, (i) =>
        document(
          `d-${i}`,
          "patterns",
          many(2_000, (c) => ({
            componentId: `c${c}`,
            singleLine: { text: `${"abcdefghij".repeat(200)}!` },
          })),
        ),
      ),
    ]),
  },
  {
    name: "a-pattern-against-long-texts",
    run: runs(() => [
      shape(
        "patterns",
        many(30, (i) => line(i, { singleLine: { pattern: `^(([a-z]+)+,?)+${i}$` } })),
      ),
      ...many(10, (i) =>
        document(
          `d-${i}`,
          "patterns",
          many(30, (c) => ({ componentId: `c${c}`, singleLine: { text: "a".repeat(400_000) } })),
        ),
      ),
    ]),
  },
  {
    name: "pieces-that-double",
    run: runs(() => [
      ...doubling(24),
      shape("doubled", [{ id: "p", name: "P", type: "piece", config: { piece: { identifier: "p-24" } } }]),
      ...many(20, (i) =>
        document(`d-${i}`, "doubled", [{ componentId: "p", piece: { identifier: "p-24", components: [] } }]),
      ),
      { intent: "item/publish", resourceIdentifier: "d-0", language: "en" },
      ...many(20, (i) => ({ ...doubling(0)[0], name: `Again ${i}`, components: [line(i)] })),
    ]),
  },
  {
    name: "deep-folders-moved",
    run: runs(() => [
      shape("folder", [], "folder"),
      ...many(1_500, (i) => ({
        ...{
          intent: "folder/upsert",
          _ref: `f${i}`,
          resourceIdentifier: `f-${i}`,
          name: `F ${i}`,
          language: "en",
        },
        ...{ shapeIdentifier: "folder", tree: { parentId: i === 0 ? root.parentId : `{{ f${i - 1}.id }}` } },
      })),
      ...many(2, (i) => ({
        ...{
          intent: "folder/upsert",
          _ref: `top${i}`,
          resourceIdentifier: `top-${i}`,
          name: `Top ${i}`,
          language: "en",
        },
        ...{ shapeIdentifier: "folder", tree: root },
      })),
      {
        intent: "item/paths/addAliases",
        itemId: "{{ f1499.id }}",
        language: "en",
        paths: ["/somewhere"],
      },
      ...many(400, (i) => ({
        ...{ intent: "folder/upsert", resourceIdentifier: "f-0", language: "en", name: `F ${i}` },
        ...{ shapeIdentifier: "folder", tree: { parentId: `{{ top${i % 2}.id }}` } },
      })),
    ]),
  },
];
