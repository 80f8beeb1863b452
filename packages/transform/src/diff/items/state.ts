import type { Operation } from "../indexed-dump.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The content of one component. */
export type Content = Fields & { readonly componentId: string };

/** A variant in one language, with all of its fields. */
export interface Variant extends Fields {
  readonly sku: string;
  readonly isDefault: boolean;
  readonly components: readonly Content[];
}

/** An item in one language. */
export interface Version {
  readonly name: unknown;
  readonly components: readonly Content[];
  /** Those of a product. */
  readonly variants?: readonly Variant[];
}

/** An item as its operations leave it. */
export interface ItemState {
  /** The fields that are the same in every language, without the location in the tree. */
  readonly shared: Fields;
  readonly parentId: string;
  readonly drafts: Map<string, Version>;
  readonly published: Map<string, Version>;
}

/** The fields of a variant that no dump of a new item has where they are empty. */
const emptyVariant = {
  externalReference: null,
  isDefault: false,
  ...{ attributes: [], components: [], images: [], videos: [] },
  ...{ priceVariants: [], stockLocations: [], subscriptionPlans: [] },
};

/** Carries out the operations that a dump has for an item. */
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
  // These are the members of the variant, in another order.
  return Object.fromEntries(
    Object.entries({ ...whole, components }).sort(([a], [b]) => (a < b ? -1 : 1)),
  ) as unknown as Variant;
}

const asListed = new WeakMap<readonly Content[], readonly Content[]>();

/** Sorts components, whose order says nothing; `written` returns them as they were. */
function sorted(components: readonly Content[]): readonly Content[] {
  const found = components.toSorted((a, b) => (a.componentId < b.componentId ? -1 : 1));
  asListed.set(found, components);
  return found;
}

/** Returns the components of a version or variant in the order in which its tenant lists them. */
export const written = (components: readonly Content[]): readonly Content[] =>
  asListed.get(components) ?? components;

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
