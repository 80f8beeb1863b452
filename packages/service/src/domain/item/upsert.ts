import type { ItemRow } from "../../storage/collections/items.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { createItem, type NewItemPayload } from "./create.ts";
import { findByReference, findItem } from "./find.ts";
import type { ItemKind } from "./kinds.ts";
import { updateItem } from "./update.ts";

/**
 * Updates the item that the payload identifies, or creates it, with the payload's id if it has one. An item is
 * identified by `itemId`, else `resourceIdentifier`, else `externalReference` among items of the kind.
 */
export async function upsertItem(
  context: CommandContext,
  kind: ItemKind,
  payload: NewItemPayload,
): Promise<CommandResult> {
  const item = await namedItem(context.unit, kind, payload);
  if (item !== undefined) return updateItem(context, kind, item, payload);
  return createItem(context, kind, payload, payload.itemId);
}

async function namedItem(
  unit: UnitOfWork,
  kind: ItemKind,
  payload: NewItemPayload,
): Promise<ItemRow | undefined> {
  if (payload.itemId || payload.resourceIdentifier) return findItem(unit, payload);
  if (!payload.externalReference) return undefined;
  const item = await findByReference(unit, kind, payload.externalReference);
  // An external reference need not be unique, so no key stops another upsert that finds no item either.
  if (item === undefined) unit.needTurn("references");
  return item;
}
