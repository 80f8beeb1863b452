/** The id of an item, as a template. */
export const item = (identifier: string) =>
  `{{ valueOf (fetchItemByResourceIdentifier "${identifier}") "id" }}`;

/** The id of a topic, as a template. */
export const topic = (identifier: string) =>
  `{{ valueOf (fetchTopicByResourceIdentifier "${identifier}") "id" }}`;

export const under = (parentId: string) => ({ tree: { parentId } });

/** Operations of which an undo may leave some; `more` replaces or adds properties. */
export const folder = (identifier: string, more: object = {}) => ({
  ...{ intent: "folder/upsert", resourceIdentifier: identifier, name: identifier, language: "en" },
  ...{ shapeIdentifier: "place", tree: { parentId: "{{ defaults.rootItemId }}" } },
  ...more,
});
export const document = (identifier: string, more: object = {}) => ({
  ...folder(identifier, { intent: "document/upsert", shapeIdentifier: "note" }),
  ...more,
});
export const product = (identifier: string, more: object = {}) => ({
  ...folder(identifier, { intent: "product/upsert", shapeIdentifier: "thing" }),
  ...{
    vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
    variants: [{ sku: identifier, name: identifier, isDefault: true }],
  },
  ...more,
});
export const variant = (sku: string, more: object) => ({
  intent: "product/variant/update",
  sku,
  language: "en",
  ...more,
});
export const topicNamed = (identifier: string, more: object = {}) => ({
  ...{ intent: "topic/upsert", resourceIdentifier: identifier, language: "en", name: identifier },
  ...more,
});
export const aliases = (change: string, identifier: string, ...paths: string[]) => ({
  ...{ intent: `item/paths/${change}Aliases`, itemId: item(identifier), language: "en", paths },
});
export const removal = (identifier: string) => ({ intent: "item/delete", resourceIdentifier: identifier });
export const shape = (identifier: string, components: object[] = [], more: object = {}) => ({
  ...{ intent: "shape/upsert", identifier, name: identifier, type: "document", components },
  ...more,
});
export const piece = (identifier: string, uses?: string) => ({
  ...{ intent: "piece/upsert", identifier, name: identifier },
  components: uses === undefined ? [] : [use(uses)],
});
export const use = (identifier: string) => ({
  ...{ id: identifier, name: identifier, type: "piece", config: { piece: { identifier } } },
});
export const customer = (identifier: string, ...parents: string[]) => ({
  ...{ intent: "customer/upsert", identifier, type: "organization" },
  parents: parents.map((identifier) => ({ identifier, type: "customer" })),
});
export const group = (identifier: string, ...parents: string[]) => ({
  ...{ intent: "customer/group/upsert", identifier, name: identifier },
  parents: parents.map((identifier) => ({ identifier, type: "customerGroup" })),
});
export const priceList = (
  identifier: string,
  targetAudience: object = { type: "EVERYONE" },
  more: object = {},
) => ({
  ...{ intent: "pricelist/upsert", identifier, name: identifier, modifierType: "RELATIVE", targetAudience },
  ...{
    priceVariants: [{ identifier: "default", modifier: 1 }],
    selectedProductVariants: { type: "ALL_SKUS" },
  },
  ...more,
});
export const stage = (identifier: string, target?: string) => ({
  ...{ identifier, name: identifier },
  actions: target === undefined ? [] : [{ action: "move", move: { targetStageIdentifier: target } }],
});
export const flow = (identifier: string, more: object) => ({
  ...{ intent: "flow/upsert", identifier, name: identifier, type: "item" },
  ...more,
});
export const order = (identifier: string, more: object) => ({
  ...{ intent: "order/upsert", resourceIdentifier: identifier, customer: { identifier: "buyer" } },
  ...{ cart: [{ sku: "any", name: "Any", quantity: 1 }] },
  ...more,
});
