import { type ComponentContent, type ComponentDefinition, same } from "@lading/schema/internal";
import { items } from "../../storage/collections/items.ts";
import {
  type ProductVariantRow,
  productVariants,
  type VariantContent,
} from "../../storage/collections/product-variants.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext } from "../command.ts";
import { piecesIfShared } from "../content/compiled-content.ts";
import { mentionedIn, otherDrafts } from "../content/languages.ts";
import { withoutOrphans } from "../content-rules/orphans.ts";
import { withShared, withUnmentioned } from "../content-rules/shared.ts";

type Writing = Pick<CommandContext, "unit" | "now">;
type Components = ComponentContent[];

interface VariantWrite {
  language: string;
  /** The components of the payload; undefined if it has none. */
  payload: readonly ComponentContent[] | undefined;
  /** The definitions of the components it replaces. Default: all. */
  written?: readonly ComponentDefinition[];
}

/**
 * A variant's row to store after a write in one language: the other languages of the variant and its product get the
 * content they share with it. Undefined if nothing changes.
 */
export async function sharedVariant(
  { unit, now }: Writing,
  shape: ShapeRow,
  before: ProductVariantRow | undefined,
  after: ProductVariantRow | undefined,
  { language, payload, written }: VariantWrite,
): Promise<ProductVariantRow | undefined> {
  const row = after ?? before;
  const pieces = await piecesIfShared(unit, shape, "variantComponents");
  if (row === undefined || pieces === undefined) return after;
  const own = row.contents[language];
  if (own === undefined) return after;
  const isAdded = before !== undefined && before.contents[language] === undefined;
  if (payload === undefined && !isAdded) return after;
  const next = isAdded ? added(own, payload ?? [], before, shape, pieces) : own;
  const contents = { ...row.contents, [language]: next };
  const all = shape.variantComponents;
  const definitions = written ?? (isAdded ? mentionedIn(payload ?? [], all) : all);
  for (const other of await languagesOf(unit, row))
    if (other !== language) shareWith(contents, other, next.components, shape, definitions, pieces);
  return same(contents, row.contents) ? after : { ...row, contents, updatedAt: now };
}

type Pieces = NonNullable<Awaited<ReturnType<typeof piecesIfShared>>>;

/** The shared content of a variant in a language being added. */
export async function sharedBefore(
  unit: UnitOfWork,
  shape: ShapeRow,
  row: ProductVariantRow,
): Promise<Components> {
  const pieces = await piecesIfShared(unit, shape, "variantComponents");
  const nothing = { name: null, attributes: [], components: [] };
  return pieces === undefined ? [] : added(nothing, [], row, shape, pieces).components;
}

/** Adds the other languages' shared content to the content of a language being added to a variant. */
function added(
  own: VariantContent,
  payload: readonly ComponentContent[],
  { contents }: ProductVariantRow,
  { variantComponents }: ShapeRow,
  pieces: Pieces,
): VariantContent {
  const source = Object.values(contents)[0]?.components ?? [];
  const readable = withoutOrphans(source, variantComponents, pieces);
  return {
    ...own,
    components: withUnmentioned(own.components, payload, readable, variantComponents, pieces),
  };
}

function shareWith(
  contents: ProductVariantRow["contents"],
  language: string,
  components: Components,
  shape: ShapeRow,
  written: readonly ComponentDefinition[],
  pieces: Pieces,
): void {
  const before = contents[language] ?? { name: null, attributes: [], components: [] };
  const shared = withShared(before.components, components, written, pieces);
  if (same(shared, before.components)) return;
  contents[language] = { ...before, components: withoutOrphans(shared, shape.variantComponents, pieces) };
}

async function languagesOf(
  unit: UnitOfWork,
  { productId, contents }: ProductVariantRow,
): Promise<Set<string>> {
  const drafts = await otherDrafts(unit, productId, "");
  return new Set([...Object.keys(contents), ...drafts.map(({ language }) => language)]);
}

/**
 * Copies shared content to a language added to a product, in all its variants. Touches them, so that a concurrent
 * writer that does not see the new language conflicts. Returns true if that changed any variant.
 */
export async function addLanguage(
  { unit, now }: Writing,
  shape: ShapeRow,
  productId: string,
  language: string,
): Promise<boolean> {
  const pieces = await piecesIfShared(unit, shape, "variantComponents");
  if (pieces === undefined) return false;
  const owner = { collection: items, key: productId };
  let changed = false;
  for (const row of await unit.findUnder(owner, productVariants, "product", productId)) {
    const source = Object.values(row.contents)[0];
    const contents = { ...row.contents };
    if (contents[language] === undefined && source !== undefined)
      shareWith(contents, language, source.components, shape, shape.variantComponents, pieces);
    if (same(contents, row.contents)) unit.touch(productVariants, row);
    else unit.update(productVariants, { ...row, contents, updatedAt: now });
    changed ||= !same(contents, row.contents);
  }
  return changed;
}
