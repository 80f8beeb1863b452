import type { Payload } from "@lading/schema";
import { codeOf, type Problem, Rejection, rejectAll } from "../../errors.ts";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { itemFormerPaths } from "../../storage/collections/item-former-paths.ts";
import type { ItemRow } from "../../storage/collections/items.ts";
import { productVariants } from "../../storage/collections/product-variants.ts";
import { publishedVariants } from "../../storage/collections/published-variants.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { requireContent, requireShape } from "../content/check.ts";
import { prefetchShape, readableContent } from "../content/compiled-content.ts";
import { namedContent } from "../content-rules/orphans.ts";
import {
  historyDropped,
  type PathChange,
  prefetchFormerPaths,
  updateHistories,
} from "../path/former-paths.ts";
import { hasFormerPaths, pathOf } from "../path/tree-paths.ts";
import { named } from "../payload/named-row.ts";
import { requireLanguage } from "../settings/require.ts";
import { publishFacts } from "../variant/published-variants.ts";
import { prefetchItem, requireDraft, requireNamedItem } from "./find.ts";
import {
  type ItemToPublish,
  itemToPublish,
  publishedContent,
  readableItem,
  subtreeToPublish,
} from "./publishing.ts";
import { publishShared, withAllLanguages } from "./shared-publishing.ts";

/** Maximum number of items listed as not published; the rest are counted. */
const maxNamed = 100;

/** The options of the GraphQL mutation `publishItem` beyond the payload of the intent. */
export interface PublishOptions {
  /** Publishes incomplete content too. */
  disableComponentValidation?: boolean | null;
}

type PublishPayload = Payload<"item/publish"> & PublishOptions;

/**
 * Publishes an item in one language: its published version becomes a copy of the draft and, for a product, of its
 * variants, whose price and stock are published for all languages. Required components must have content. With
 * `includeDescendants` all descendants are published, too; the result is partial when some could not be.
 */
export const publishItem: Command<"item/publish"> = {
  keys: ({ itemId, resourceIdentifier, language }, prefetch, tenant) =>
    prefetchItem({ itemId, resourceIdentifier }, prefetch, (item, prefetch) =>
      prefetchToPublish(item, language, prefetch, tenant),
    ),
  async execute(context, payload: PublishPayload) {
    const { unit, tenant } = context;
    const { language } = payload;
    requireLanguage(tenant, language);
    const item = await requireNamedItem(unit, payload);
    const output = { id: item.id, language };
    if (payload.includeDescendants) return publishAll(context, payload, item, output);
    const target = await itemToPublish(unit, item, language);
    const draft = target.draft ?? (await requireDraft(unit, item, language));
    const [path] = await pathsToChange(context, [target]);
    const changed = await publishOne(context, payload, target, draft);
    const lost = await updateHistories(context, changed && path ? [path] : []);
    return { action: changed ? "published" : "unchanged", output: { ...output, ...historyDropped(lost) } };
  },
};

function prefetchToPublish(
  { id, type, shapeIdentifier }: ItemRow,
  language: string,
  prefetch: Prefetch,
  tenant: Tenant,
): void {
  const hasHistory = hasFormerPaths(tenant, language);
  prefetch(
    itemContents,
    "key",
    [id, language, "draft"],
    hasHistory ? prefetchFormerPaths(tenant) : undefined,
  );
  prefetch(itemContents, "key", [id, language, "published"], hasHistory ? prefetchHistory : undefined);
  if (type === "product") {
    prefetch(productVariants, "product", [id]);
    prefetch(publishedVariants, "product", [id]);
  }
  if (shapeIdentifier === null) return;
  prefetchShape(shapeIdentifier, prefetch, (prefetch) => prefetch(itemContents, "item", [id]));
}

/** Declares the history of a published version whose segment differs from the draft's, as publishing adds to it. */
function prefetchHistory({ itemId, language, segment }: ItemContentRow, prefetch: Prefetch): void {
  if (segment !== null) prefetch(itemFormerPaths, "history", [itemId, language]);
}

/** The paths that publishing changes: of items that are unpublished, or published with another segment. */
async function pathsToChange(
  context: CommandContext,
  targets: readonly ItemToPublish[],
): Promise<PathChange[]> {
  const changes: PathChange[] = [];
  for (const { item, draft, published } of targets) {
    if (draft === undefined || published?.segment === null) continue;
    const change = { itemId: item.id, language: draft.language, version: "published" as const };
    if (published === undefined) changes.push({ ...change, below: false });
    else
      changes.push({
        ...change,
        former: await pathOf(context, item.id, draft.language, "published"),
        below: item.type === "folder",
      });
  }
  return changes;
}

async function publishAll(
  context: CommandContext,
  payload: PublishPayload,
  root: ItemRow,
  output: CommandResult["output"],
): Promise<CommandResult> {
  const failures: Rejection[] = [];
  const targets = await subtreeToPublish(context.unit, root, payload.language);
  const paths = await pathsToChange(context, targets);
  const published = new Set<string>();
  let unchanged = 0;
  for (const target of await withAllLanguages(context.unit, targets)) {
    // The root folder of the tenant has no content in any language.
    if (target.item.parentId === null) continue;
    const outcome = await tryToPublish(context, payload, target);
    if (outcome instanceof Rejection) failures.push(outcome);
    else if (outcome) published.add(target.item.id);
    else unchanged++;
  }
  const [first] = failures;
  if (first !== undefined && published.size + unchanged === 0) rejectAll(first.name, detailsOf(failures));
  const changed = paths.filter(({ itemId }) => published.has(itemId));
  const lost = await updateHistories(context, belowAtOnce(root, payload.language, changed));
  return {
    action: published.size > 0 ? "published" : "unchanged",
    output: { ...output, ...historyDropped(lost) },
    ...(first && { partial: new Rejection(first.name, first.message, detailsOf(failures)) }),
  };
}

/** Replaces one query per folder below the root with one query for the whole subtree. */
function belowAtOnce(
  { id: itemId, parentId }: ItemRow,
  language: string,
  changes: readonly PathChange[],
): readonly PathChange[] {
  if (parentId === null || !changes.some(({ below }) => below)) return changes;
  const own = changes.map((change) => ({ ...change, below: false }));
  return [...own, { itemId, language, version: "published", below: true }];
}

/** Publishes one item like `publishOne`, but returns a rejection instead of throwing it. */
async function tryToPublish(
  context: CommandContext,
  payload: PublishPayload,
  target: ItemToPublish,
): Promise<boolean | Rejection> {
  const { item, draft } = target;
  const missing = `The ${item.type} ${named(item)} has nothing in the language "${payload.language}"`;
  if (draft === undefined) return new Rejection("ItemNotFoundError", missing);
  try {
    return await publishOne(context, payload, target, draft);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return new Rejection(error.name, `The ${item.type} ${named(item, draft.name)}: ${error.message}`);
  }
}

/** One problem per failure, up to a limit, and one that counts the rest. */
function detailsOf(failures: readonly Rejection[]): Problem[] {
  const path = ["includeDescendants"];
  const details = failures
    .slice(0, maxNamed)
    .map(({ name, message }) => ({ code: codeOf(name), message, path }));
  const more = failures.length - details.length;
  if (more > 0) details.push({ code: "More", message: `${more} more items were not published`, path });
  return details;
}

/** Publishes one item; returns true if that changed anything. */
async function publishOne(
  { unit, now }: CommandContext,
  { disableComponentValidation }: PublishPayload,
  target: ItemToPublish,
  stored: ItemContentRow,
): Promise<boolean> {
  const { item } = target;
  const shape = await requireShape(unit, item.type, item.shapeIdentifier ?? "");
  const { draft, variants } = await readableItem(unit, shape, stored, target.variants);
  const next = publishedContent({ ...target, variants }, draft, now);
  const shared = () => publishShared(unit, shape, target, { draft, variants }, now);
  if (next === undefined) return shared();
  if (!disableComponentValidation) await requireComplete(unit, shape, draft, variants);
  if (target.published !== undefined) unit.update(itemContents, next);
  else {
    unit.insert(itemContents, next);
    unit.update(itemContents, { ...stored, isPublished: true });
  }
  publishFacts(unit, target.variants, target.facts, draft.language);
  await shared();
  return true;
}

/** Rejects an item if a required component of it, or of a variant in that language, is empty. */
async function requireComplete(
  unit: CommandContext["unit"],
  shape: ShapeRow,
  draft: ItemContentRow,
  variants: ItemToPublish["variants"],
): Promise<void> {
  const named = await readableContent(unit, shape, "components", draft.components, namedContent);
  await requireContent(unit, shape, "components", named, { complete: true, path: ["components"] });
  for (const { sku, contents } of variants) {
    const stored = contents[draft.language]?.components ?? [];
    const components = await readableContent(unit, shape, "variantComponents", stored, namedContent);
    const options = { complete: true, path: ["variants", sku, "components"] };
    await requireContent(unit, shape, "variantComponents", components, options);
  }
}
