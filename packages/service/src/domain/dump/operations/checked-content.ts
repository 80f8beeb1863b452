import {
  type CompiledContent,
  type ComponentContent,
  type ComponentDefinition,
  compileContent,
  type RelationUse,
} from "@lading/schema/internal";
import { type ItemRow, items } from "../../../storage/collections/items.ts";
import { pieces } from "../../../storage/collections/pieces.ts";
import { productVariants } from "../../../storage/collections/product-variants.ts";
import { shapes } from "../../../storage/collections/shapes.ts";
import { rowsWith } from "../../../storage/pages/keyset.ts";
import { mediaTypeOf } from "../../content/check.ts";
import type { ComponentList } from "../../content/compiled-content.ts";
import { namedContent, withoutOrphans } from "../../content-rules/orphans.ts";
import { sharesContent } from "../../content-rules/shared.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";
import type { OmissionLocation } from "../omissions.ts";
import { allRows } from "../pages.ts";
import { type Agree, agreeing } from "./shared-content.ts";

/**
 * Removes orphaned content of an item, which no operation can write, and records content that breaks a rule of its
 * shape. If `isWhole`, required components must be present.
 */
export type ReadableContent = (
  item: Pick<ItemRow, "id" | "shapeIdentifier">,
  list: ComponentList,
  content: readonly ComponentContent[],
  isWhole: boolean,
) => ComponentContent[];

/** Content as a dump writes it, with its effect on the omissions. */
export interface CheckedContent {
  /**
   * Makes the languages of an item agree in shared content, as operations would, and records differences, which may
   * predate the sharing.
   */
  readonly agreeOf: (item: Pick<ItemRow, "id" | "shapeIdentifier">) => Agree;
  readonly readable: ReadableContent;
  /** Records relations of a page's items to items they do not accept. */
  endPage(): Promise<void>;
}

const orphaned = "orphaned content of an item";
const differing = "shared content that differs between an item's languages: all get the first language's";
const broken = "an item with content that breaks a rule of its shape, whose operations may fail";

/** The rules of a list of components, and the components that languages share at least in part. */
interface Rules extends CompiledContent {
  readonly shared: readonly ComponentDefinition[];
}

const noRules: Rules = { ...compileContent([]), shared: [] };

/** Reads the tenant's content model, to check content as commands do. */
export async function checkedContent(dumped: DumpedTenant): Promise<CheckedContent> {
  const { omissions } = dumped;
  const piecesBy = new Map<string, CompiledContent>();
  for (const { identifier, components } of await allRows(dumped, pieces))
    piecesBy.set(identifier, compileContent(components));
  const lookup = (piece: string) => piecesBy.get(piece);
  const rulesOf = (definitions: readonly ComponentDefinition[]): Rules => ({
    ...compileContent(definitions),
    shared: definitions.filter((definition) => sharesContent([definition], lookup)),
  });
  const shapesBy = new Map<string, Readonly<Record<ComponentList, Rules>>>();
  for (const { identifier, components, variantComponents } of await allRows(dumped, shapes))
    shapesBy.set(identifier, {
      components: rulesOf(components),
      variantComponents: rulesOf(variantComponents),
    });
  const noted = new Set<string>();
  const note = (what: string, id: string, location: OmissionLocation = {}) => {
    const key = `${what} ${id} ${location.component ?? ""}`;
    if (!noted.has(key)) omissions.add(what, id, location);
    noted.add(key);
  };
  const agreeOf: CheckedContent["agreeOf"] =
    ({ id, shapeIdentifier }) =>
    (list, contents) => {
      const shape = shapeIdentifier ?? "";
      const { definitions, shared } = shapesBy.get(shape)?.[list] ?? noRules;
      if (shared.length === 0 || contents.length < 2) return contents;
      const readable = contents.map((content) =>
        withoutOrphans(content, definitions, lookup, () => note(orphaned, id, { shape })),
      );
      return agreeing(readable, shared, lookup, (component) => note(differing, id, { shape, component }));
    };
  const relations: Relation[] = [];
  let patterns = { spent: 0 };
  return {
    agreeOf,
    readable: (item, list, content, isWhole) => {
      const shape = item.shapeIdentifier ?? "";
      const rules = shapesBy.get(shape)?.[list] ?? noRules;
      const readable = namedContent(content, rules.definitions, lookup, () =>
        note(orphaned, item.id, { shape }),
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

/** Finds relations to items whose shape they do not accept. */
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
