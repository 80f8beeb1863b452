import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { identifiedBy, itemIdentity } from "./identity.ts";

/** Aliases and history: to add, to set or to remove. */
const itemPaths = part((s) =>
  z
    .object({
      ...itemIdentity(s),
      language: s.field("Language of the paths, such as `en`", s.filledText),
      paths: s.field("Paths such as `/shop/shoes`", z.array(s.filledText)),
    })
    .superRefine(identifiedBy("itemId")),
);

const shortcut = part((s) =>
  z
    .object({
      parentId: s.field("Id of the folder that shows the item too", s.id),
      position: s.field(
        "Position in that folder, from 1; without it the item is shown last",
        s.integerFrom(0).optional(),
      ),
    })
    .meta({ id: "Shortcut" }),
);

/** Further parents of an item: to add or to set. They are the same in all languages. */
const itemShortcuts = part((s) =>
  z
    .object({
      ...itemIdentity(s),
      shortcuts: s.field("Further folders that show the item, in all languages", z.array(shortcut(s))),
    })
    .superRefine(identifiedBy("itemId")),
);

/** Further parents of an item to remove, by id. */
const removeItemShortcuts = part((s) =>
  z
    .object({
      ...itemIdentity(s),
      parentIds: s.field("Ids of the folders that no longer show the item", z.array(s.id)),
    })
    .superRefine(identifiedBy("itemId")),
);

export const pathIntents = {
  "item/paths/addAliases": {
    payload: itemPaths,
    about: "Adds path aliases to an item",
    subject: "aliases of item",
    untimed: true,
    result: ["id"],
  },
  "item/paths/setAliases": {
    payload: itemPaths,
    about: "Replaces the path aliases of an item",
    subject: "aliases of item",
    untimed: true,
    result: ["id"],
  },
  "item/paths/removeAliases": {
    payload: itemPaths,
    about: "Removes path aliases from an item",
    subject: "aliases of item",
    untimed: true,
    result: ["id"],
  },
  "item/paths/addHistory": {
    payload: itemPaths,
    about: "Adds former paths to an item",
    subject: "former paths of item",
    untimed: true,
    result: ["id"],
  },
  "item/paths/setHistory": {
    payload: itemPaths,
    about: "Replaces the former paths of an item",
    subject: "former paths of item",
    untimed: true,
    result: ["id"],
  },
  "item/paths/removeHistory": {
    payload: itemPaths,
    about: "Removes former paths from an item",
    subject: "former paths of item",
    untimed: true,
    result: ["id"],
  },
  "item/paths/addShortcuts": {
    payload: itemShortcuts,
    about: "Shows an item under further parents",
    subject: "shortcuts of item",
    result: ["id"],
  },
  "item/paths/setShortcuts": {
    payload: itemShortcuts,
    about: "Replaces the further parents of an item",
    subject: "shortcuts of item",
    result: ["id"],
  },
  "item/paths/removeShortcuts": {
    payload: removeItemShortcuts,
    about: "Removes further parents of an item",
    subject: "shortcuts of item",
    result: ["id"],
  },
} as const satisfies IntentRows;
