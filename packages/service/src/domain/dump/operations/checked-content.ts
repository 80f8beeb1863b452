import {
  type CompiledContent,
  type ComponentContent,
  compileContent,
  type RelationUse,
} from "@lading/schema";
import { type ItemRow, items } from "../../../storage/collections/items.ts";
import { pieces } from "../../../storage/collections/pieces.ts";
import { productVariants } from "../../../storage/collections/product-variants.ts";
import { shapes } from "../../../storage/collections/shapes.ts";
import { rowsWith } from "../../../storage/pages/keyset.ts";
import { mediaTypeOf } from "../../content/check.ts";
import type { ComponentList } from "../../content/compiled-content.ts";
import { withoutOrphans } from "../../content-rules/index.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";
import { allRows } from "../pages.ts";

/**
 * Leaves out orphaned content of an item, which no operation can write, and notes content that breaks a rule of its
 * shape. Where it `isWhole`, required components must be in it.
 */
export type ReadableContent = (
  item: Pick<ItemRow, "id" | "shapeIdentifier">,
  list: ComponentList,
  content: readonly ComponentContent[],
  isWhole: boolean,
) => ComponentContent[];

/** Content as a dump writes it, and what the omissions of the dump say about it. */
export interface CheckedContent {
  readonly readable: ReadableContent;
  /** Notes relations of a page of items to others that they do not accept. */
  endPage(): Promise<void>;
}

const orphaned = "orphaned content of an item";
const broken = "an item with content that breaks a rule of its shape, whose operations may fail";

const noRules = compileContent([]);

/** Reads the content model of a tenant, by which its content is checked as commands check it. */
export async function checkedContent(dumped: DumpedTenant): Promise<CheckedContent> {
  const { omissions } = dumped;
  const piecesBy = new Map<string, CompiledContent>();
  for (const { identifier, components } of await allRows(dumped, pieces))
    piecesBy.set(identifier, compileContent(components));
  const shapesBy = new Map<string, Readonly<Record<ComponentList, CompiledContent>>>();
  for (const { identifier, components, variantComponents } of await allRows(dumped, shapes))
    shapesBy.set(identifier, {
      components: compileContent(components),
      variantComponents: compileContent(variantComponents),
    });
  const lookup = (piece: string) => piecesBy.get(piece);
  const noted = new Set<string>();
  const note = (what: string, id: string, shape?: string) => {
    const key = `${what} ${id}`;
    if (!noted.has(key)) omissions.add(what, id, shape);
    noted.add(key);
  };
  const relations: Relation[] = [];
  let patterns = { spent: 0 };
  return {
    readable: (item, list, content, isWhole) => {
      const shape = item.shapeIdentifier ?? "";
      const rules = shapesBy.get(shape)?.[list] ?? noRules;
      const readable = withoutOrphans(content, rules.definitions, lookup, () =>
        note(orphaned, item.id, shape),
      );
      const options = { complete: isWhole, pieces: lookup, patterns, mediaTypeOf };
      const { errors, uses } = rules.validate(readable, options);
      if (errors.some(({ code }) => code !== "PatternsTooSlow")) note(broken, item.id);
      for (const use of uses.relations) relations.push({ itemId: item.id, use });
      return readable;
    },
    endPage: async () => {
      const unaccepted = await unacceptedIn(dumped, relations.splice(0));
      for (const { itemId } of unaccepted) note(broken, itemId);
      noted.clear();
      patterns = { spent: 0 };
    },
  };
}

interface Relation {
  readonly itemId: string;
  readonly use: RelationUse;
}

/** Finds relations that lead to an item whose shape they do not accept. */
async function unacceptedIn(
  { tenant, page }: DumpedTenant,
  relations: readonly Relation[],
): Promise<readonly Relation[]> {
  if (relations.length === 0) return [];
  const skus = new Set(relations.flatMap(({ use }) => use.skus));
  const products = await page((queries) => rowsWith(queries, tenant.id, productVariants, "sku", [...skus]));
  const productOf = (sku: string) => products.get(sku)?.[0]?.productId ?? [];
  const idsOf = ({ itemIds, skus }: RelationUse) => [...itemIds, ...skus.flatMap(productOf)];
  const ids = new Set(relations.flatMap(({ use }) => idsOf(use)));
  const found = await page((queries) => rowsWith(queries, tenant.id, items, "id", [...ids]));
  return relations.filter(({ use }) =>
    idsOf(use).some((id) =>
      found.get(id)?.some(({ shapeIdentifier }) => !use.accepted.includes(shapeIdentifier ?? "")),
    ),
  );
}
