import type { Command } from "../command.ts";
import { createItem } from "./create.ts";
import { requireItem } from "./find.ts";
import { wantForCreate, wantForUpdate } from "./keys.ts";
import type { ItemKind } from "./kinds.ts";
import { updateItem } from "./update.ts";
import { upsertItem } from "./upsert.ts";

/** The command that creates items of a kind. */
export const createCommand = <Kind extends ItemKind>(kind: Kind): Command<`${Kind}/create`> => ({
  keys: (payload, want, tenant) => wantForCreate(kind, payload, want, tenant),
  execute: (context, payload) => createItem(context, kind, payload),
});

/** The command that updates items of a kind. */
export const updateCommand = <Kind extends ItemKind>(kind: Kind): Command<`${Kind}/update`> => ({
  keys: (payload, want, tenant) => wantForUpdate(payload, want, tenant),
  execute: async (context, payload) => {
    const item = await requireItem(context.unit, payload);
    return updateItem(context, kind, item, payload);
  },
});

/** The command that creates or updates items of a kind. */
export const upsertCommand = <Kind extends ItemKind>(kind: Kind): Command<`${Kind}/upsert`> => ({
  keys(payload, want, tenant) {
    wantForUpdate(payload, want, tenant);
    wantForCreate(kind, payload, want, tenant);
  },
  execute: (context, payload) => upsertItem(context, kind, payload),
});
