import type { Operation } from "../indexed-dump.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The content of one component. */
export type Content = Fields & { readonly componentId: string };

/** A variant in one language, with all fields. */
export interface Variant extends Fields {
  readonly sku: string;
  readonly isDefault: boolean;
  readonly components: readonly Content[];
}

/** An item in one language. */
export interface Version {
  readonly name: unknown;
  readonly components: readonly Content[];
  /** Only products have them. */
  readonly variants?: readonly Variant[];
}

/** The state of an item after its operations. */
export interface ItemState {
  /** The fields common to all languages, without the location in the tree. */
  readonly shared: Fields;
  readonly parentId: string;
  readonly drafts: Map<string, Version>;
  readonly published: Map<string, Version>;
}

/** Fields of a variant that a dump omits if they are empty. */
const emptyVariant = {
  externalReference: null,
  isDefault: false,
  ...{ attributes: [], components: [], images: [], videos: [] },
  ...{ priceVariants: [], stockLocations: [], subscriptionPlans: [] },
};

/** Applies a dump's operations for an item. */
export function stateOf(operations: readonly Operation[]): ItemState {
  const [first] = operations as [Operation & { tree: { parentId: string } }];
  const { shapeIdentifier, createdAt, externalReference, resourceIdentifier, vatTypeId, topicIds } = first;
  const shared = { shapeIdentifier, createdAt, externalReference, resourceIdentifier, vatTypeId, topicIds };
  const drafts = new Map<string, Version>();
  const published = new Map<string, Version>();
  for (const operation of operations) {
    const language = String(operation.language);
    if (operation.intent === "item/publish") published.set(language, drafts.get(language)!);
    else drafts.set(language, versionOf(operation));
  }
  return { shared: withoutUndefined(shared), parentId: first.tree.parentId, drafts, published };
}

function versionOf({ name, components = [], variants }: Operation): Version {
  const version = { name, components: sorted(components as Content[]) };
  if (!Array.isArray(variants)) return version;
  return { ...version, variants: variants.map(wholeVariant) };
}

function wholeVariant(variant: Fields): Variant {
  const whole = withoutUndefined({ ...emptyVariant, ...variant }) as Variant;
  const components = sorted(whole.components);
  // The same members in another order.
  return Object.fromEntries(
    Object.entries({ ...whole, components }).sort(([a], [b]) => (a < b ? -1 : 1)),
  ) as unknown as Variant;
}

const asListed = new WeakMap<readonly Content[], readonly Content[]>();

/** Sorts components, whose order has no meaning; `written` restores their order. */
function sorted(components: readonly Content[]): readonly Content[] {
  const found = components.toSorted((a, b) => (a.componentId < b.componentId ? -1 : 1));
  asListed.set(found, components);
  return found;
}

/** Returns the components of a version or variant in the tenant's order. */
export const written = (components: readonly Content[]): readonly Content[] =>
  asListed.get(components) ?? components;

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
