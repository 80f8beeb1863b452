import { versionName, writtenId } from "@lading/schema/internal";
import { fieldChanges, operation, same } from "../fields.ts";
import type { Operation } from "../indexed-dump.ts";
import { mayReachOthers, type ShapeSharing, shareInto } from "./sharing.ts";
import { type Content, type ItemState, type Variant, type Version, written } from "./state.ts";

type Fields = Record<string, unknown>;

export interface NewSlot {
  readonly parentId: string;
  readonly position?: number;
}

interface ItemChanges {
  readonly operations: readonly Operation[];
  readonly fixed: readonly string[];
  /** Languages in which the item has had more than one name. */
  readonly renamed: readonly string[];
}

interface Item {
  readonly type: string;
  readonly id: string;
  readonly sharing: ShapeSharing;
}

interface ItemChange {
  readonly before: ItemState;
  readonly after: ItemState;
  /** Undefined if it stays in place. */
  readonly slot: NewSlot | undefined;
  /** True if its content may differ from the dump's, so that all of it is written. */
  readonly isUnknown: boolean;
  /** True if its versions are written after all items. */
  readonly isDeferred: boolean;
}

export function itemChanges(item: Item, change: ItemChange): ItemChanges {
  const { before, after, slot, isDeferred } = change;
  const shared = fieldChanges(`${item.type}/update`, before.shared, after.shared);
  const editing = new ItemEditing(item, change);
  const { shapeIdentifier: _, ...fields } = { ...shared.fields, ...(slot && { tree: slot }) } as Fields;
  editing.pending = fields;
  if (!isDeferred) for (const [language, version] of after.published) editing.publish(language, version);
  for (const language of before.published.keys())
    if (!after.published.has(language))
      editing.operations.push(operation("item/unpublish", { itemId: item.id, language }));
  if (!isDeferred) for (const [language, version] of after.drafts) editing.write(language, version);
  editing.flush();
  const renamed = [...before.drafts.keys()].filter((language) => {
    const versions = [before, after].flatMap(({ drafts, published }) => [drafts, published]);
    const names = versions.map((version) => version.get(language)?.name).filter((name) => name !== undefined);
    return new Set(names).size > 1;
  });
  const languages = [...before.drafts.keys()].filter((language) => !after.drafts.has(language));
  return {
    operations: withPublicationsNamed(editing.operations),
    fixed: [...shared.fixed, ...languages.map(() => "languages")],
    renamed,
  };
}

/** The state of an item after the operations written so far, as far as it is known. */
class ItemEditing {
  readonly operations: Operation[] = [];
  /** Fields to include in the item's next update. */
  pending: Fields = {};
  readonly #item: Item;
  readonly #drafts: Map<string, Version>;
  readonly #published: Map<string, Version>;
  /** Languages whose content is unknown, because another language may have changed it. */
  readonly #unknown: Set<string>;
  /**
   * SKUs of variants that published versions share with the drafts. A variant removed from a draft returns as a new
   * one.
   */
  readonly #lasting = new Map<string, ReadonlySet<string>>();

  constructor(item: Item, { before, isUnknown }: ItemChange) {
    this.#item = item;
    this.#drafts = new Map(before.drafts);
    this.#published = new Map(before.published);
    this.#unknown = new Set(isUnknown ? before.drafts.keys() : []);
    for (const [language, version] of before.published) this.#lasting.set(language, skusOf(version));
    for (const draft of before.drafts.values()) this.#keepLasting(draft);
  }

  publish(language: string, version: Version): void {
    if (!this.#unknown.has(language) && same(this.#published.get(language), version)) return;
    this.write(language, version, true);
    this.flush();
    this.operations.push(operation("item/publish", { itemId: this.#item.id, language }));
    this.#published.set(language, version);
    this.#lasting.set(language, skusOf(version));
    for (const [other, published] of this.#published)
      if (other !== language)
        this.#published.set(other, this.#withShared(published, version, this.#lasting.get(other)));
  }

  /** Makes the version the draft in a language. Uses a single operation if a publication depends on it. */
  write(language: string, version: Version, isPublished = false): void {
    const draft = this.#drafts.get(language);
    if (draft === undefined) this.#add(language, version);
    else {
      const { name, components } = version;
      const isUnknown = this.#unknown.has(language);
      const fields = {
        ...(draft.name !== name && { name }),
        ...((isUnknown || !same(draft.components, components)) && { components }),
        ...(isList(version.variants, draft.variants) && { variants: version.variants }),
      };
      const variants = "variants" in fields ? [] : changedVariants(draft, version, isUnknown);
      const isOne = isPublished && variants.length > 0;
      if (isOne) this.#update(language, { ...fields, variants: amongOthers(variants, version) });
      else {
        if (Object.keys(fields).length > 0) this.#update(language, fields);
        for (const variant of variants)
          this.operations.push(operation("product/variant/update", { ...asWritten(variant), language }));
      }
    }
    this.#unknown.delete(language);
    this.#share(language, draft, version);
  }

  flush(): void {
    const [language] = this.#drafts.keys();
    if (Object.keys(this.pending).length > 0 && language !== undefined) this.#update(language, {});
  }

  #update(language: string, fields: Fields): void {
    const { type, id } = this.#item;
    const all = { itemId: id, language, ...this.pending, ...asWritten(fields) };
    this.operations.push(operation(`${type}/update`, all));
    this.pending = {};
  }

  /** Adds a language. It first gets shared content from the other languages, so that content is written again. */
  #add(language: string, version: Version): void {
    this.#update(language, { ...version });
    const { name: _, ...content } = version;
    const { components, variantComponents } = this.#item.sharing;
    const isSharing = [components, variantComponents].some(
      ({ whole, partly }) => whole.size + partly.size > 0,
    );
    if (this.#drafts.size > 0 && isSharing) this.#update(language, content);
  }

  /** Applies the effects of a written version to the drafts in other languages. */
  #share(language: string, before: Version | undefined, after: Version): void {
    this.#drafts.set(language, after);
    this.#keepLasting(after);
    const { components, variantComponents } = this.#item.sharing;
    const isFar =
      mayReachOthers(before?.components ?? [], after.components, components) ||
      mayReachOthers(ofVariants(before), ofVariants(after), variantComponents);
    for (const [other, draft] of this.#drafts) {
      if (other === language) continue;
      if (isFar) this.#unknown.add(other);
      this.#drafts.set(other, this.#withShared(draft, after));
    }
  }

  #keepLasting(draft: Version): void {
    const skus = skusOf(draft);
    for (const [language, lasting] of this.#lasting) this.#lasting.set(language, lasting.intersection(skus));
  }

  /** A version with its shared parts copied from another language's. `lasting` is set for published versions. */
  #withShared(version: Version, source: Version, lasting?: ReadonlySet<string>): Version {
    const components = shareInto(version.components, source.components, this.#item.sharing.components);
    if (version.variants === undefined) return { ...version, components };
    const variants = lasting
      ? version.variants.map((own) => withFacts(own, lasting.has(own.sku) ? source : undefined))
      : source.variants?.map((other) => this.#variantOf(version, other));
    return { ...version, components, ...(variants && { variants }) };
  }

  #variantOf({ variants = [] }: Version, other: Variant): Variant {
    const own = variants.find(({ sku }) => sku === other.sku);
    const { name, attributes, components } = own ?? noContent;
    const shared = shareInto(components, other.components, this.#item.sharing.variantComponents);
    return { ...other, name, attributes, components: shared };
  }
}

/** The variants of a version that differ from a draft's, each with its SKU and the differing fields. */
function changedVariants(
  draft: Version,
  { name, variants = [] }: Version,
  isUnknown: boolean,
): ({ sku: string } & Fields)[] {
  return variants.flatMap((variant, i) => {
    const before = draft.variants![i]!;
    // A variant without its own name has the product's, which may just have changed.
    const mayFollow = draft.name !== name && before.name === draft.name;
    const changed = Object.entries(variant).filter(
      ([field, value]) =>
        (isUnknown && field === "components") ||
        (mayFollow && field === "name") ||
        !same(value, before[field]),
    );
    return changed.length === 0 ? [] : { ...Object.fromEntries(changed), sku: variant.sku };
  });
}

/** All variants of a version; unchanged ones with required fields only. */
function amongOthers(changed: readonly { sku: string }[], { variants = [] }: Version): object[] {
  const bySku = new Map(changed.map((variant) => [variant.sku, variant]));
  return variants.map(({ sku, name }) => ({ sku, name, ...bySku.get(sku) }));
}

/** The content of a variant in a language without any; its name is the product's. */
const noContent = { name: undefined, attributes: [], components: [] as readonly Content[] };

/** Fields with their components, including those of variants, in the tenant's order. */
const asWritten = ({ components, variants, ...fields }: Fields): Fields => ({
  ...fields,
  ...(components !== undefined && { components: written(components as Content[]) }),
  ...(variants !== undefined && { variants: (variants as Variant[]).map((variant) => asWritten(variant)) }),
});

const ofVariants = (version: Version | undefined) =>
  (version?.variants ?? []).flatMap(({ components }) => components);

/** Price and stock are published for all languages together. */
function withFacts(own: Variant, source: Version | undefined): Variant {
  const { priceVariants, stockLocations } = source?.variants?.find(({ sku }) => sku === own.sku) ?? own;
  return { ...own, priceVariants, stockLocations };
}

const skusOf = ({ variants = [] }: Version) => new Set(variants.map(({ sku }) => sku));

/** True if variants were added, removed or reordered, or the default changed: the whole list is written. */
const isList = (after: readonly Variant[] | undefined, before: readonly Variant[] | undefined): boolean =>
  !same(after?.map(identity), before?.map(identity));

const identity = ({ sku, isDefault }: Variant) => [sku, isDefault];

/**
 * The operations of an item, linked so that a publication fails if an earlier write fails, instead of publishing the
 * old content: each operation takes the item's id from the result of the write before it.
 */
export function withPublicationsNamed(operations: readonly Operation[]): Operation[] {
  const end = operations.findLastIndex(isPublication);
  const names = new Set<string>();
  let last: string | undefined;
  return operations.map((operation, i) => {
    const linked = last === undefined || i > end ? operation : { ...operation, itemId: writtenId(last) };
    if (i >= end || isPublication(operation)) return linked;
    last = otherName(versionName(versionOf(operation)), names);
    names.add(last);
    return { _ref: last, ...linked };
  });
}

/** A `_ref` that no other operation of the item has; it doesn't end with an id. */
function otherName(name: string, names: ReadonlySet<string>): string {
  let other = name;
  for (let count = 2; names.has(other); count++) other = `${name}_${count}`;
  return other;
}

export const isPublication = ({ intent }: Operation) => intent === "item/publish";

const versionOf = ({ itemId, language }: Operation) => ({
  itemId: String(itemId),
  language: String(language),
});
