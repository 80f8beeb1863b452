import type { Handler } from "../command.ts";
import { createItem, type NewItemPayload } from "./create.ts";
import { requireItem } from "./find.ts";
import { prefetchForCreate, prefetchForUpdate } from "./keys.ts";
import type { ItemKind, ItemPayload } from "./kinds.ts";
import { updateItem } from "./update.ts";
import { upsertItem } from "./upsert.ts";

/** Makes the command that creates items of a kind. */
export const createCommand = (kind: ItemKind): Handler<NewItemPayload> => ({
  keys: (payload, prefetch, tenant) => prefetchForCreate(kind, payload, prefetch, tenant),
  execute: (context, payload) => createItem(context, kind, payload),
});

/** Makes the command that updates items of a kind. */
export const updateCommand = (kind: ItemKind): Handler<ItemPayload> => ({
  keys: (payload, prefetch, tenant) => prefetchForUpdate(payload, prefetch, tenant),
  execute: async (context, payload) => {
    const item = await requireItem(context.unit, payload);
    return updateItem(context, kind, item, payload);
  },
});

/** Makes the command that upserts items of a kind. */
export const upsertCommand = (kind: ItemKind): Handler<NewItemPayload> => ({
  keys(payload, prefetch, tenant) {
    prefetchForUpdate(payload, prefetch, tenant);
    prefetchForCreate(kind, payload, prefetch, tenant);
  },
  execute: (context, payload) => upsertItem(context, kind, payload),
});
