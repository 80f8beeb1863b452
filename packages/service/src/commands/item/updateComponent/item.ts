import type { Payload } from "@lading/schema";
import { wantShape } from "../../../rules/compiled-content.ts";
import { merge } from "../../../rules/same.ts";
import { itemContents } from "../../../storage/collections/item-contents.ts";
import type { ItemRow } from "../../../storage/collections/items.ts";
import { newId } from "../../../storage/ids.ts";
import type { Want } from "../../../storage/unit-of-work.ts";
import type { Command } from "../../command.ts";
import { requireLanguage } from "../../settings.ts";
import { type ComponentOptions, withComponent } from "../write/component.ts";
import { requireShape } from "../write/content.ts";
import { requireDraft } from "../write/draft.ts";
import { requireNamedItem, wantItem } from "../write/find.ts";
import { shareContent } from "../write/share.ts";
import { wantRelated } from "../write/uses.ts";

export const command: Command<"item/updateComponent/item"> = {
  keys(payload, want) {
    const { itemId, resourceIdentifier, language } = payload;
    wantRelated([payload.component], want);
    wantItem({ itemId, resourceIdentifier }, want, (item, want) => wantOfItem(item, language, want));
  },
  async execute(context, payload: Payload<"item/updateComponent/item"> & ComponentOptions) {
    const { unit, tenant, now } = context;
    requireLanguage(tenant, payload.language);
    const item = await requireNamedItem(unit, payload);
    const draft = await requireDraft(unit, item, payload.language);
    const shape = await requireShape(unit, item.type, item.shapeIdentifier as string);
    const components = await withComponent(context, shape, "components", draft.components, payload);
    const changed = merge(draft, { components }, now);
    if (changed !== undefined) unit.update(itemContents, { ...changed, versionId: newId() });
    const written = shape.components.filter(({ id }) => id === payload.component.componentId);
    const shared = await shareContent(context, shape, { ...draft, components }, written);
    return { action: changed || shared ? "updated" : "unchanged", output: { id: item.id } };
  },
};

function wantOfItem({ id, shapeIdentifier }: ItemRow, language: string, want: Want): void {
  want(itemContents, "key", [id, language, "draft"]);
  if (shapeIdentifier === null) return;
  wantShape(shapeIdentifier, want, (want) => want(itemContents, "item", [id]));
}
