const folder = { intent: "shape/upsert", identifier: "shelf", type: "folder", name: "Shelf" };
const plant = {
  intent: "shape/upsert",
  identifier: "plant",
  type: "product",
  name: "Plant",
  components: [
    { id: "care", type: "singleLine", name: "Care" },
    {
      id: "facts",
      type: "contentChunk",
      name: "Facts",
      config: {
        contentChunk: { repeatable: true, components: [{ id: "height", type: "numeric", name: "Height" }] },
      },
    },
  ],
};

export const fern = {
  intent: "product/upsert",
  resourceIdentifier: "fern",
  language: "en",
  shapeIdentifier: "plant",
  name: "Fern",
  tree: { parentId: "{{ valueOf (fetchItemByResourceIdentifier 'plants') 'id' }}" },
  components: [
    { componentId: "care", singleLine: { text: "Shade" } },
    {
      componentId: "facts",
      contentChunk: { chunks: [[{ componentId: "height", numeric: { number: 0.4 } }]] },
    },
  ],
  variants: [
    {
      sku: "fern-small",
      name: "Small fern",
      isDefault: true,
      stockLocations: [{ identifier: "default", stock: 7 }],
    },
    { sku: "fern.large", name: "Large fern", priceVariants: [{ identifier: "default", price: 12.5 }] },
  ],
};

const plants = {
  intent: "folder/create",
  resourceIdentifier: "plants",
  language: "en",
  shapeIdentifier: "shelf",
  name: "Plants",
  tree: { parentId: "{{ defaults.rootItemId }}" },
};

const order = {
  _ref: "order",
  intent: "order/register",
  customer: { identifier: "ada", email: "ada@example.com" },
  cart: [{ name: "Fern", sku: "fern-small", quantity: 2 }],
};

export const earlier = [
  folder,
  plant,
  plants,
  fern,
  { intent: "customer/upsert", identifier: "ada", firstName: "Ada", meta: [{ key: "tier", value: "gold" }] },
  { intent: "customer/group/upsert", identifier: "friends", name: "Friends" },
  { _ref: "colors", intent: "topic/upsert", resourceIdentifier: "colors", language: "en", name: "Colors" },
  {
    intent: "topic/upsert",
    resourceIdentifier: "green",
    language: "en",
    name: "Deep green",
    parentId: "{{ colors.id }}",
    displayColor: "#0a0",
  },
  {
    intent: "pricelist/upsert",
    identifier: "spring",
    name: "Spring",
    modifierType: "PERCENTAGE",
    priceVariants: [{ identifier: "default", modifier: -10 }],
    selectedProductVariants: { type: "SOME_SKUS", variants: [{ sku: "fern-small" }] },
    targetAudience: { type: "EVERYONE" },
  },
  order,
];
