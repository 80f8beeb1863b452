import fc from "fast-check";
import { seeded } from "../support/random.ts";

const id = (number: number) => number.toString(16).padStart(24, "0");
const line = (componentId: string, text: string) => ({ componentId, singleLine: { text } });

const model = [
  { intent: "language/upsert", code: "de", name: "Deutsch" },
  {
    intent: "piece/upsert",
    ...{ identifier: "care", name: "Care" },
    components: [
      { id: "wash", name: "Wash", type: "singleLine" },
      { id: "code", name: "Code", type: "singleLine", config: { singleLine: { multilingual: false } } },
    ],
  },
  { intent: "shape/upsert", identifier: "shelf", name: "Shelf", type: "folder", components: [] },
  ...["document", "product"].map((type) => ({
    intent: "shape/upsert",
    ...{ identifier: type, name: type, type },
    components: [
      { id: "title", name: "Title", type: "singleLine" },
      { id: "shared", name: "Shared", type: "singleLine", config: { singleLine: { multilingual: false } } },
      { id: "related", name: "Related", type: "itemRelations" },
      { id: "care", name: "Care", type: "piece", config: { piece: { identifier: "care" } } },
    ],
    ...(type === "product" && {
      variantComponents: [
        { id: "title", name: "Title", type: "singleLine" },
        { id: "shared", name: "Shared", type: "singleLine", config: { singleLine: { multilingual: false } } },
      ],
    }),
  })),
];

type Operation = Readonly<Record<string, unknown>>;

/**
 * The operations of a small tenant: all are valid, and two tenants have much in common. What has one number has one
 * kind in all of them, but any location, names, languages and content. A full one has all that no operation takes away
 * again: any other tenant can become like it.
 */
export const smallTenants = (isFull = false): fc.Arbitrary<Operation[]> =>
  fc.noShrink(fc.integer()).map((seed) => smallTenant(seed, isFull));

function smallTenant(seed: number, isFull: boolean): Operation[] {
  const { below, pick, chance } = seeded(seed);
  const upTo = (max: number) => below(max + 1);
  const maybe = () => chance(0.5);
  const some = <T>(values: readonly T[]): T[] => values.filter(maybe);
  const shuffled = <T>(values: readonly T[]): T[] =>
    values
      .map((value) => [upTo(99), value] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, value]) => value);
  const name = () => pick(["a", "b", "c", "d"]);

  const topics = shuffled(some([1, 2, 3, 4])).map((number, i, all) => ({
    intent: "topic/upsert",
    ...{ topicId: id(number), language: "en", name: `${name()}${maybe() ? "" : number}` },
    ...(i > 0 && maybe() && { parentId: id(pick(all.slice(0, i))) }),
  }));
  const folders: number[] = [];
  const items: number[] = [];
  const operations: Operation[] = [];
  const parent = () => {
    const above = pick([0, ...folders]);
    return above === 0 ? "{{ defaults.rootItemId }}" : id(above);
  };
  const content = () => [
    ...(maybe() ? [line("title", name())] : []),
    ...(maybe() ? [line("shared", name())] : []),
    ...(maybe() ? [{ componentId: "related", itemRelations: { itemIds: some([id(21), id(31)]) } }] : []),
    ...(maybe()
      ? [
          {
            componentId: "care",
            piece: { identifier: "care", components: [line(pick(["wash", "code"]), name())] },
          },
        ]
      : []),
  ];
  const skus = shuffled(["s1", "s2", "s3", "s4", "s5", "s6"]);
  const variants = (own: readonly string[]) => {
    const chosen = pick(own);
    return own.map((sku) => ({
      ...{ sku, name: name(), isDefault: sku === chosen },
      ...(maybe() && { priceVariants: [{ identifier: "default", price: upTo(3) }] }),
      ...(maybe() && { components: [line(pick(["title", "shared"]), name())] }),
    }));
  };
  const write = (number: number, type: string) => {
    const own = type === "product" ? skus.splice(0, 1 + upTo(1)) : [];
    const shape = type === "folder" ? "shelf" : type;
    const tree = { parentId: parent(), ...(maybe() && { position: upTo(3) }) };
    const version = (language: string) => ({
      ...{ intent: `${type}/upsert`, itemId: id(number), shapeIdentifier: shape, language },
      name: name(),
      ...(type !== "folder" && { components: content() }),
      ...(type === "product" && { variants: variants(own) }),
    });
    const shared = {
      ...{ createdAt: "2026-01-31T12:00:00Z", tree },
      ...(maybe() && { externalReference: name() }),
      ...(maybe() && { topicIds: some(topics.map(({ topicId }) => topicId)) }),
      ...((maybe() || isFull) && { resourceIdentifier: `r${number}` }),
    };
    operations.push({ ...version("en"), ...shared });
    const languages = maybe() || isFull ? ["en", "de"] : ["en"];
    const later = { tree: { parentId: tree.parentId } };
    if (languages.length > 1) operations.push({ ...version("de"), ...later });
    for (const language of some(languages))
      operations.push({ intent: "item/publish", itemId: id(number), language });
    if (maybe()) operations.push({ ...version(pick(languages)), ...later });
    items.push(number);
  };
  for (const number of shuffled(some([11, 12, 13]))) {
    write(number, "folder");
    folders.push(number);
  }
  for (const number of shuffled(some([21, 22, 23, 24]))) write(number, "document");
  for (const number of shuffled(some([31, 32, 33]))) write(number, "product");
  return [
    ...model,
    ...topics,
    ...operations,
    ...furtherOperations({ some, pick, maybe, shuffled }, { items, folders }),
  ];
}

interface Chance {
  some<T>(values: readonly T[]): T[];
  pick<T>(values: readonly T[]): T;
  maybe(): boolean;
  shuffled<T>(values: readonly T[]): T[];
}

function furtherOperations(
  { some, pick, maybe, shuffled }: Chance,
  { items, folders }: { items: readonly number[]; folders: readonly number[] },
): Operation[] {
  const customers = shuffled(["ann", "bob", "eve"]);
  const others = items.filter((number) => !folders.includes(number));
  return [
    ...customers.map((identifier, i) => ({
      intent: "customer/upsert",
      ...{ identifier, firstName: pick(["A", "B"]) },
      ...(maybe() && { meta: [{ key: pick(["k", "l"]) }] }),
      parents: i > 0 && maybe() ? [{ identifier: customers[i - 1], type: "customer" }] : [],
    })),
    ...some(others).map((number) => ({
      intent: "item/paths/setAliases",
      ...{ itemId: id(number), language: "en", paths: [pick([`/old-${number}`, `/older-${number}`])] },
    })),
    ...(folders.length > 0
      ? some(others).map((number) => ({
          intent: "item/paths/setShortcuts",
          itemId: id(number),
          shortcuts: [{ parentId: id(pick(folders)), ...(maybe() && { position: 1 }) }],
        }))
      : []),
  ];
}
