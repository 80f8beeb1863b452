import { type ComponentContent, type ComponentDefinition, same } from "@lading/schema/internal";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import { newId } from "../../storage/ids.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext } from "../command.ts";
import { piecesIfShared } from "../content/compiled-content.ts";
import { otherDrafts } from "../content/languages.ts";
import { withoutOrphans } from "../content-rules/orphans.ts";
import { withShared, withUnmentioned } from "../content-rules/shared.ts";

type Writing = Pick<CommandContext, "unit" | "now">;
type Components = ComponentContent[];

/**
 * Copies shared content written in one language to the item's other drafts, for all components or for `written`.
 * Returns true if that changed any draft.
 */
export async function shareContent(
  { unit, now }: Writing,
  shape: ShapeRow,
  { itemId, language, components }: Pick<ItemContentRow, "itemId" | "language" | "components">,
  written: readonly ComponentDefinition[] = shape.components,
): Promise<boolean> {
  const pieces = await piecesIfShared(unit, shape, "components");
  if (pieces === undefined) return false;
  let changed = false;
  for (const draft of await otherDrafts(unit, itemId, language)) {
    const shared = withShared(draft.components, components, written, pieces);
    if (same(shared, draft.components)) continue;
    const readable = withoutOrphans(shared, shape.components, pieces);
    unit.update(itemContents, { ...draft, components: readable, versionId: newId(), updatedAt: now });
    changed = true;
  }
  return changed;
}

/**
 * The content of a language added to an item: `components`, and the shared content of the other languages. Touches the
 * draft it is copied from, so that a concurrent writer that does not see the new language conflicts.
 */
export async function addedContent(
  unit: UnitOfWork,
  shape: ShapeRow,
  { itemId, language }: Pick<ItemContentRow, "itemId" | "language">,
  components: Components,
  payload: readonly ComponentContent[],
): Promise<Components> {
  const pieces = await piecesIfShared(unit, shape, "components");
  const [source] = pieces === undefined ? [] : await otherDrafts(unit, itemId, language);
  if (pieces === undefined || source === undefined) return components;
  unit.touch(itemContents, source);
  const readable = withoutOrphans(source.components, shape.components, pieces);
  return withUnmentioned(components, payload, readable, shape.components, pieces);
}
