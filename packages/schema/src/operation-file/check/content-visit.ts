import type { ComponentContent } from "../../components/component.ts";
import type { PatternTime } from "../../content/report.ts";
import type { CompiledContent } from "../../content/walk.ts";
import { type OwnResults, ownResult } from "../../operation/envelope.ts";
import type { JsonPath } from "../../problems/json-pointer.ts";
import type { Problem } from "../../problems/problem.ts";
import { idOf, ownProperty } from "../../templates/evaluate/values.ts";
import { hasTemplate } from "../../templates/is-template.ts";
import { plainPath } from "../../templates/parse/plain-path.ts";
import type { ComponentList, ContentModel } from "./content-model.ts";
import type { IncompleteItems } from "./incomplete-items.ts";
import { type ItemName, itemName, type KnownItems, shapeOf } from "./known-items.ts";
import { definitionOf, type References } from "./references.ts";

/** The file's shapes, pieces and items so far, against which content is checked. */
export interface FileContent {
  readonly model: ContentModel;
  items: KnownItems;
  /** Suggestions left for the file: one costs as much as checking many operations. */
  suggestions: number;
  /** Time spent running the file's patterns. */
  readonly patterns: PatternTime;
  incomplete: IncompleteItems;
}

/** An operation whose content is checked. Its payload is valid, and its templates are not rendered. */
export interface ContentVisit {
  readonly content: FileContent;
  readonly references: References;
  /** Checks components an operation writes: the list at the path, or a single one if there is no list. */
  check(
    rules: CompiledContent,
    components: Components | ComponentContent,
    complete: boolean,
    path: JsonPath,
  ): void;
  report(problem: Problem): void;
  readonly index: number;
  readonly payload: ItemPayload;
}

/** The components of an item or a variant, as far as an operation gives them. */
export type Components = readonly ComponentContent[];

/** The fields of operations on items and variants that the content check reads. */
interface ItemPayload {
  readonly _ref?: string;
  readonly _results?: OwnResults;
  readonly language: string;
  readonly shapeIdentifier?: string;
  readonly itemId?: string;
  readonly productId?: string;
  readonly resourceIdentifier?: string;
  readonly externalReference?: string | null;
  readonly sku?: string;
  readonly components?: Components | null;
  readonly component?: ComponentContent;
  readonly variants?: readonly { readonly sku: string; readonly components?: Components | null }[];
}

/** The components of a shape, if the file has defined them. */
export function rulesOf(
  { content }: ContentVisit,
  shape: string | undefined,
  list: ComponentList,
): CompiledContent | undefined {
  return shape === undefined ? undefined : content.model.shape.get(shape)?.[list];
}

/** The name for an item's id. `{{ ref.id }}` is the item that `ref` wrote; other templates are unknown. */
export function nameOf(
  { references, payload }: ContentVisit,
  id: string | undefined,
  resourceIdentifier?: string,
): ItemName | undefined {
  if (id === undefined) {
    const known = resourceIdentifier !== undefined && !hasTemplate(resourceIdentifier);
    return known ? itemName.resourceIdentifier(resourceIdentifier) : undefined;
  }
  if (!hasTemplate(id)) return itemName.itemId(id);
  const [ref, property] = plainPath(id) ?? [];
  if (ref === undefined || property !== "id") return undefined;
  const own = ownResult(payload._results, ref);
  if (own === undefined) return definitionOf(references, ref)?.index;
  const known = idOf(ownProperty(own, property));
  return typeof known === "string" ? itemName.itemId(known) : undefined;
}

function lookUp({ content }: ContentVisit, name: ItemName | undefined): string | undefined {
  return name === undefined ? undefined : shapeOf(content.items, name);
}

export const shapeOfItem = (visit: ContentVisit) =>
  lookUp(visit, nameOf(visit, visit.payload.itemId, visit.payload.resourceIdentifier));

export const shapeOfProduct = (visit: ContentVisit) => lookUp(visit, nameOf(visit, visit.payload.productId));

export const shapeOfSku = (visit: ContentVisit) => lookUp(visit, itemName.sku(visit.payload.sku ?? ""));

/** The names later operations may use for the item this one writes. */
export function namesOf({ index, payload }: ContentVisit): ItemName[] {
  const { _ref, itemId, resourceIdentifier } = payload;
  const names: ItemName[] = _ref === undefined ? [] : [index];
  if (itemId !== undefined && !hasTemplate(itemId)) names.push(itemName.itemId(itemId));
  if (resourceIdentifier !== undefined && !hasTemplate(resourceIdentifier))
    names.push(itemName.resourceIdentifier(resourceIdentifier));
  return names;
}
