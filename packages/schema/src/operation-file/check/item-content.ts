import type { ComponentDefinition } from "../../components/component.ts";
import { isRequired, isShared } from "../../content/compile.ts";
import { requiredMissing } from "../../content/problems.ts";
import type { CompiledContent } from "../../content/walk.ts";
import type { JsonPath } from "../../problems/json-pointer.ts";
import { hasTemplate } from "../../templates/is-template.ts";
import {
  type Components,
  type ContentVisit,
  nameOf,
  namesOf,
  rulesOf,
  shapeOfItem,
  shapeOfProduct,
  shapeOfSku,
} from "./content-visit.ts";
import { findIncomplete, forgetIncomplete, noteIncomplete } from "./incomplete-items.ts";
import { itemName, rememberItem } from "./known-items.ts";

export function createItem(visit: ContentVisit): void {
  writeItem(visit, visit.payload.shapeIdentifier, true);
}

/** Creates or updates an item; without any key it can only be created. */
export function upsertItem(visit: ContentVisit): void {
  const { itemId, resourceIdentifier, externalReference, shapeIdentifier } = visit.payload;
  writeItem(visit, shapeIdentifier, !(itemId || resourceIdentifier || externalReference));
}

export function updateItem(visit: ContentVisit): void {
  writeItem(visit, shapeOfItem(visit), false);
}

function writeItem(visit: ContentVisit, shape: string | undefined, creates: boolean): void {
  const { components, variants } = visit.payload;
  checkList(visit, rulesOf(visit, shape, "components"), components, creates, ["components"]);
  const rules = rulesOf(visit, shape, "variantComponents");
  for (const [i, { components }] of (variants ?? []).entries())
    checkList(visit, rules, components, creates, ["variants", i, "components"]);
  // A product created without variants gets one, without content.
  if (variants === undefined) checkList(visit, rules, undefined, creates, ["variants"]);
  remember(visit, shape);
  if (creates) return;
  forgetIncomplete(visit.content.incomplete, writingOf(visit));
  const missing = missingOf(visit, shape);
  if (missing) noteIncomplete(visit.content.incomplete, writingOf(visit), { index: visit.index, missing });
}

export function createVariant(visit: ContentVisit): void {
  writeVariant(visit, shapeOfProduct(visit), true);
}

/** Adds or updates a variant. */
export function upsertVariant(visit: ContentVisit): void {
  writeVariant(visit, shapeOfProduct(visit), false);
}

export function updateVariant(visit: ContentVisit): void {
  writeVariant(visit, shapeOfSku(visit), false);
}

function writeVariant(visit: ContentVisit, shape: string | undefined, creates: boolean): void {
  const { components, sku = "" } = visit.payload;
  checkList(visit, rulesOf(visit, shape, "variantComponents"), components, creates, ["components"]);
  if (!hasTemplate(sku)) rememberItem(visit.content.items, itemName.sku(sku), shape);
}

export function updateItemComponent(visit: ContentVisit): void {
  checkSingle(visit, rulesOf(visit, shapeOfItem(visit), "components"));
  forgetIncomplete(visit.content.incomplete, writingOf(visit));
}

export function updateSkuComponent(visit: ContentVisit): void {
  checkSingle(visit, rulesOf(visit, shapeOfSku(visit), "variantComponents"));
}

function checkSingle({ payload, check }: ContentVisit, rules: CompiledContent | undefined): void {
  if (rules && payload.component) check(rules, payload.component, false, ["component"]);
}

/** Publishes, which will fail if the file has left the content incomplete. */
export function publishItem(visit: ContentVisit): void {
  const { content, payload, report } = visit;
  const name = nameOf(visit, payload.itemId, payload.resourceIdentifier);
  const incomplete =
    name === undefined ? undefined : findIncomplete(content.incomplete, payload.language, name);
  if (incomplete === undefined) return;
  const { code, message } = requiredMissing(incomplete.missing);
  const why = `operations[${incomplete.index}] leaves it out, so this cannot be published`;
  report({ code, message: `${message}: ${why}`, path: [] });
}

function checkList(
  { check }: ContentVisit,
  rules: CompiledContent | undefined,
  components: Components | null | undefined,
  creates: boolean,
  path: JsonPath,
): void {
  const list = components ?? (creates ? [] : undefined);
  if (rules && list) check(rules, list, creates, path);
}

function remember(visit: ContentVisit, identifier: string | undefined): void {
  const { items, model } = visit.content;
  const shape = model.shape.has(identifier ?? "") ? identifier : undefined;
  for (const name of namesOf(visit)) rememberItem(items, name, shape);
  for (const { sku } of visit.payload.variants ?? [])
    if (!hasTemplate(sku)) rememberItem(items, itemName.sku(sku), shape);
}

/** The first required component an item lacks. One shared by all languages may exist in another language. */
function missingOf(visit: ContentVisit, shape: string | undefined): ComponentDefinition | undefined {
  const rules = rulesOf(visit, shape, "components");
  const { components } = visit.payload;
  const needed = rules?.definitions.filter((each) => isRequired(each) && !isShared(each)) ?? [];
  if (!components || needed.length === 0) return undefined;
  if (components.some(({ componentId }) => hasTemplate(componentId))) return undefined;
  const present = new Set(components.map(({ componentId }) => componentId));
  return needed.find(({ id }) => !present.has(id));
}

/** Only resource identifiers are unique: an id, or an external reference alone, may belong to any item. */
function writingOf(visit: ContentVisit) {
  const { language, itemId, resourceIdentifier } = visit.payload;
  const distinct = !itemId && resourceIdentifier !== undefined && !hasTemplate(resourceIdentifier);
  return { language, names: namesOf(visit), distinct };
}
