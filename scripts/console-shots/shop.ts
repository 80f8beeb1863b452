import { readFileSync } from "node:fs";
import { join } from "node:path";

type Operation = { intent: string } & Record<string, unknown>;

/** The operations of the quickstart's example: the shapes, the first folders and products of a pottery. */
export const firstOperations = (): Operation[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../examples/quickstart.json"), "utf8")).operations;

const series = [
  ...(["Shore Strand", "Gull Måke", "Tide Tidevanns", "Anchor Anker", "Lantern Lykte"] as const),
  ...([
    "Pier Brygge",
    "Reef Rev",
    "Drift Driv",
    "Foam Skum",
    "Ferry Ferge",
    "Pilot Los",
    "Beacon Varde",
  ] as const),
].map((names) => names.split(" ") as [string, string]);
const kinds = [
  { word: "mug", norwegian: "kopp", folder: "Mugs", price: 28 },
  { word: "bowl", norwegian: "bolle", folder: "Bowls", price: 49 },
  { word: "plate", norwegian: "tallerken", folder: "Plates", price: 36 },
  { word: "jug", norwegian: "mugge", folder: "Jugs", price: 64 },
  { word: "vase", norwegian: "vase", folder: "Vases", price: 72 },
  { word: "teapot", norwegian: "tekanne", folder: "Teapots", price: 98 },
];
const glazes = [
  { word: "cobalt", colour: "#2b4c8c" },
  { word: "oatmeal", colour: "#d9c8a5" },
  { word: "moss", colour: "#6b7d45" },
  { word: "celadon", colour: "#9dc0ae" },
  { word: "rust", colour: "#a5572f" },
];

/** Every product of the pottery, with its names in two languages and its SKUs. */
const products = kinds.flatMap((kind, k) =>
  series.map(([english, norwegian], number) => ({
    kind,
    name: `${english} ${kind.word}`,
    norwegianName: `${norwegian}${kind.norwegian}`,
    identifier: `${kind.word}-${english.toLowerCase()}`,
    price: kind.price + ((number * 7 + k * 3) % 11),
    skus: glazes.map(({ word }) => `${kind.word}-${english.toLowerCase()}-${word}`),
  })),
);

const skus = products.flatMap((product) => product.skus);

const settings: Operation[] = [
  { intent: "language/upsert", code: "no-nb", name: "Norwegian" },
  { _ref: "vat", intent: "vatType/upsert", name: "Standard", percent: 25 },
  { intent: "priceVariant/upsert", identifier: "trade", name: "Trade", currency: "EUR" },
  { intent: "stockLocation/upsert", identifier: "harbour", name: "Harbour shop" },
  { intent: "market/upsert", identifier: "north", name: "The north" },
  {
    ...{ intent: "orderPipeline/upsert", name: "Fulfilment" },
    stages: [{ name: "New" }, { name: "Packed" }, { name: "Sent" }],
  },
  {
    ...{ intent: "flow/upsert", identifier: "editing", name: "Editing", type: "item" },
    stages: [
      { identifier: "editing-draft", name: "Draft" },
      { identifier: "editing-review", name: "Review" },
    ],
  },
  {
    ...{ _ref: "use", intent: "topic/upsert", resourceIdentifier: "topic-use", language: "en", name: "Use" },
    children: [{ name: "Every day" }, { name: "Feasts" }, { name: "Gifts" }],
  },
];

/** All of the pottery's products, images, customers and orders; `imageOf` is the URL of a glaze's picture. */
export const shopOperations = (imageOf: (glaze: string) => string): Operation[] => [
  ...settings,
  ...kinds.map(folder),
  ...glazes.map(({ word }) => ({
    ...{ intent: "image/register", key: `{{ upload "${imageOf(word)}" }}`, language: "en" },
    resourceIdentifier: `glaze-${word}`,
  })),
  ...products.map((product, number) => englishProduct(product, number, imageOf)),
  ...products.filter((_, number) => number % 3 < 2).map(norwegianProduct),
  { intent: "item/publish", resourceIdentifier: "tidewater", language: "en", includeDescendants: true },
  ...customers,
  ...Array.from({ length: 140 }, (_, number) => order(number)),
  priceList,
];

const folder = ({ folder: name, word }: (typeof kinds)[number]): Operation => ({
  ...{
    _ref: `folder_${word}`,
    intent: "folder/upsert",
    resourceIdentifier: `tidewater-${name.toLowerCase()}`,
  },
  ...{ language: "en", name, shapeIdentifier: "collection" },
  tree: { parentId: "{{ valueOf (fetchItemByResourceIdentifier 'tidewater') 'id' }}" },
});

type Product = (typeof products)[number];

/** Two products lack a picture, so they are partly executed. */
const pictures = (glaze: string, number: number, imageOf: (glaze: string) => string) => [
  {
    key: `{{ upload "${imageOf(glaze)}${number % 31 === 30 ? ".old" : ""}" }}`,
    altText: `Glazed in ${glaze}`,
  },
];

const englishProduct = (product: Product, number: number, imageOf: (glaze: string) => string): Operation => ({
  ...{ intent: "product/upsert", resourceIdentifier: product.identifier, language: "en", name: product.name },
  ...{ shapeIdentifier: "pottery", vatTypeId: "{{ vat.id }}", topicIds: ["{{ use.id }}"] },
  tree: { parentId: `{{ folder_${product.kind.word}.id }}` },
  components: [
    {
      componentId: "description",
      richText: {
        html: [`<p>${product.name}, thrown by hand.</p>`, "<p>Each differs a little from the next.</p>"],
      },
    },
    { componentId: "capacity", numeric: { number: 2 + (number % 9) / 2, unit: "cl" } },
  ],
  variants: product.skus.map((sku, i) => ({
    ...{ sku, name: `${product.name}, ${glazes[i]?.word}`, isDefault: i === 0 },
    attributes: [{ attribute: "glaze", value: glazes[i]?.word }],
    priceVariants: [
      { identifier: "default", price: product.price },
      { identifier: "trade", price: Math.round(product.price * 70) / 100 },
    ],
    stockLocations: [
      { identifier: "default", stock: (number * 13 + i * 7) % 90 },
      { identifier: "harbour", stock: (number * 5 + i * 3) % 12 },
    ],
    components: [{ componentId: "glaze", singleLine: { text: glazes[i]?.word } }],
    ...(i < 2 && { images: pictures(glazes[i]?.word ?? "", number, imageOf) }),
  })),
});

const norwegianProduct = (product: Product): Operation => ({
  ...{ intent: "product/upsert", resourceIdentifier: product.identifier, language: "no-nb" },
  ...{ name: product.norwegianName, shapeIdentifier: "pottery" },
  components: [
    { componentId: "description", richText: { html: `<p>${product.norwegianName}, dreid for hånd.</p>` } },
  ],
});

const people = [
  ...[
    "Ida Lund",
    "Jonas Berg",
    "Amira Haddad",
    "Solveig Dahl",
    "Tomasz Nowak",
    "Eilidh Fraser",
    "Mei Tanaka",
  ],
  ...["Lars Holm", "Nora Vik", "Pedro Alves", "Signe Moe", "Oskar Lie", "Hanna Ruud", "Yusuf Demir"],
];
const cafes = ["Café Lantern", "The Ferry Inn", "Pilot's Rest", "Kaffe ved Kaia"];

const customers: Operation[] = [
  ...people.map((person): Operation => {
    const [firstName = "", lastName = ""] = person.split(" ");
    const identifier = `${firstName}@example.com`.toLowerCase();
    return {
      ...{
        intent: "customer/upsert",
        identifier,
        type: "individual",
        firstName,
        lastName,
        email: identifier,
      },
      addresses: [
        { type: "delivery", street: "Pier", streetNumber: "4", city: "Tidewater", country: "Norway" },
      ],
    };
  }),
  ...cafes.map((companyName, number) => ({
    ...{ intent: "customer/upsert", identifier: `cafe-${number + 1}`, type: "organization", companyName },
    parents: [{ identifier: "harbour-cafes", type: "customerGroup" }],
  })),
];

function order(number: number): Operation {
  const product = products[(number * 17) % products.length];
  const [firstName = "", lastName = ""] = people[number % people.length]?.split(" ") ?? [];
  const quantity = 1 + (number % 4);
  const gross = product?.price ?? 0;
  const price = { currency: "EUR", gross, net: gross / 1.25, tax: { name: "Standard", percent: 25 } };
  return {
    ...{ intent: "order/upsert", resourceIdentifier: `order-${2_000 + number}` },
    customer: { identifier: `${firstName}@example.com`.toLowerCase(), firstName, lastName },
    cart: [{ sku: product?.skus[number % glazes.length], name: product?.name, quantity, price }],
    total: { currency: "EUR", gross: gross * quantity, net: (gross * quantity) / 1.25 },
    paymentStatus: number % 5 === 0 ? "unpaid" : "paid",
  };
}

const priceList: Operation = {
  ...{
    intent: "pricelist/upsert",
    identifier: "cafes",
    name: "Cafés of the harbour",
    modifierType: "PERCENTAGE",
  },
  priceVariants: [{ identifier: "default", modifier: -15 }],
  selectedProductVariants: { type: "ALL_SKUS" },
  targetAudience: { type: "SOME", customerGroupIdentifiers: ["harbour-cafes"] },
};

/** A picture of a glaze, as SVG. */
export const pictureOf = (glaze: string): string => {
  const colour = glazes.find(({ word }) => word === glaze)?.colour ?? "none";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 64 48"><rect width="64" height="48" fill="#efece4"/><path d="M18 12h22v22a6 6 0 0 1-6 6H24a6 6 0 0 1-6-6z" fill="${colour}"/><path d="M40 18h3a6 6 0 0 1 0 12h-3" fill="none" stroke="${colour}" stroke-width="3"/></svg>`;
};

const price = (sku: string, priceVariantIdentifier: string, amount: number): Operation => ({
  ...{ intent: "product/variant/price/modify", sku, priceVariantIdentifier, price: amount },
});

/** New prices, some of a market the shop does not have yet, and of SKUs it never had. */
export const priceOperations = (): Operation[] => [
  ...skus.flatMap((sku, number) => [
    price(sku, "default", 30 + (number % 70)),
    ...(number % 6 === 1 ? [price(sku, "us", 34 + (number % 70))] : []),
    ...(number % 13 === 5 ? [price(sku.replace(/\w+$/, "gold"), "default", 120)] : []),
  ]),
  ...skus.slice(0, 60).map((sku) => ({
    ...{ intent: "product/variant/stock/modify", sku, stockLocationIdentifier: "outlet" },
    ...{ operation: "overwrite", quantity: 0 },
  })),
];

/** Adds the missing market's prices. */
export const missingPriceVariant: Operation = {
  ...{ intent: "priceVariant/upsert", identifier: "us", name: "United States", currency: "USD" },
};

/** A file with mistakes that are found before anything is executed. */
export const brokenOperations = (): Operation[] => [
  {
    intent: "product/variant/price/modify",
    sku: "mug-gull-moss",
    priceVariantIdentifier: "default",
    prize: 12,
  },
  { intent: "customer/upsert", identifier: "liv@example.com", type: "person", firstName: "Liv" },
  { intent: "product/variant/stok/modify", sku: "mug-gull-moss", quantity: 3 },
  { intent: "item/publish", itemId: "{{ gullMug.id }}", language: "en" },
];

/** Stocks as counted by a warehouse: a long file. */
export const stockOperations = (count: number): Operation[] =>
  Array.from({ length: count }, (_, number) => ({
    ...{ intent: "product/variant/stock/modify", sku: skus[number % skus.length] ?? "" },
    ...{ stockLocationIdentifier: number % 40 === 7 ? "outlet" : "harbour" },
    ...{ operation: "overwrite", quantity: number % 60 },
  }));

/** A small change, to be undone. */
export const renaming = (): Operation[] =>
  products.slice(0, 12).map(({ identifier, name }) => ({
    ...{ intent: "product/update", resourceIdentifier: identifier, language: "en", name: `${name} (new)` },
  }));

/** Fewer products: a plan shows what it would remove. */
export const seasonEnd = (): Operation[] => [
  ...products
    .slice(60, 66)
    .map(({ identifier }) => ({ intent: "item/delete", resourceIdentifier: identifier })),
  ...skus.slice(0, 20).map((sku) => price(sku, "default", 19.5)),
];
