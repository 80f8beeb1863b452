import type { Payload } from "@lading/schema";
import { itemContents } from "../../storage/collections/item-contents.ts";
import type { ItemRow } from "../../storage/collections/items.ts";
import { newId } from "../../storage/ids.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { Command } from "../command.ts";
import { prefetchRelated, requireShape } from "../content/check.ts";
import { prefetchShape } from "../content/compiled-content.ts";
import { type ComponentOptions, withComponent } from "../content/set-component.ts";
import { merge } from "../merge.ts";
import { requireLanguage } from "../settings/require.ts";
import { prefetchItem, requireDraft, requireNamedItem } from "./find.ts";
import { shareContent } from "./share-content.ts";

export const updateComponent: Command<"item/updateComponent/item"> = {
  keys(payload, prefetch) {
    const { itemId, resourceIdentifier, language } = payload;
    prefetchRelated([payload.component], prefetch);
    prefetchItem({ itemId, resourceIdentifier }, prefetch, (item, prefetch) =>
      prefetchOfItem(item, language, prefetch),
    );
  },
  async execute(context, payload: Payload<"item/updateComponent/item"> & ComponentOptions) {
    const { unit, tenant, now } = context;
    requireLanguage(tenant, payload.language);
    const item = await requireNamedItem(unit, payload);
    const draft = await requireDraft(unit, item, payload.language);
    const shape = await requireShape(unit, item.type, item.shapeIdentifier ?? "");
    const components = await withComponent(context, shape, "components", draft.components, payload);
    const changed = merge(draft, { components }, now);
    if (changed !== undefined) unit.update(itemContents, { ...changed, versionId: newId() });
    const written = shape.components.filter(({ id }) => id === payload.component.componentId);
    const shared = await shareContent(context, shape, { ...draft, components }, written);
    return { action: changed || shared ? "updated" : "unchanged", output: { id: item.id } };
  },
};

function prefetchOfItem({ id, shapeIdentifier }: ItemRow, language: string, prefetch: Prefetch): void {
  prefetch(itemContents, "key", [id, language, "draft"]);
  if (shapeIdentifier === null) return;
  prefetchShape(shapeIdentifier, prefetch, (prefetch) => prefetch(itemContents, "item", [id]));
}
