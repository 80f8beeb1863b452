import { z } from "zod";
import { part } from "../scalars.ts";
import { identifiedBy, itemIdentity } from "./identity.ts";

/** Aliases and history: to add, to set or to remove. */
export const itemPaths = part((s) =>
  z
    .object({ ...itemIdentity(s), language: s.filledText, paths: z.array(s.filledText) })
    .superRefine(identifiedBy("itemId")),
);

const shortcut = part((s) =>
  z.object({ parentId: s.id, position: s.integerFrom(0).optional() }).meta({ id: "Shortcut" }),
);

/** Further parents of an item: to add or to set. They are the same in all languages. */
export const itemShortcuts = part((s) =>
  z.object({ ...itemIdentity(s), shortcuts: z.array(shortcut(s)) }).superRefine(identifiedBy("itemId")),
);

/** Further parents of an item to remove, by id. */
export const removeItemShortcuts = part((s) =>
  z.object({ ...itemIdentity(s), parentIds: z.array(s.id) }).superRefine(identifiedBy("itemId")),
);
