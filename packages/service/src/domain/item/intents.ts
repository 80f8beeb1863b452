import type { Commands } from "../command.ts";
import { aliasesCommand } from "./alias-commands.ts";
import { createCommand, updateCommand, upsertCommand } from "./commands.ts";
import { deleteItem } from "./delete.ts";
import { historyCommand } from "./history-commands.ts";
import { publishItem } from "./publish.ts";
import { removeShortcuts, shortcutsCommand } from "./shortcut-commands.ts";
import { unpublishItem } from "./unpublish.ts";
import { updateComponent } from "./update-component.ts";

export const itemIntents = {
  "folder/create": createCommand("folder"),
  "folder/update": updateCommand("folder"),
  "folder/upsert": upsertCommand("folder"),
  "document/create": createCommand("document"),
  "document/update": updateCommand("document"),
  "document/upsert": upsertCommand("document"),
  "product/create": createCommand("product"),
  "product/update": updateCommand("product"),
  "product/upsert": upsertCommand("product"),
  "item/updateComponent/item": updateComponent,
  "item/publish": publishItem,
  "item/unpublish": unpublishItem,
  "item/delete": deleteItem,
  "item/paths/addAliases": aliasesCommand("add"),
  "item/paths/setAliases": aliasesCommand("set"),
  "item/paths/removeAliases": aliasesCommand("remove"),
  "item/paths/addHistory": historyCommand("add"),
  "item/paths/setHistory": historyCommand("set"),
  "item/paths/removeHistory": historyCommand("remove"),
  "item/paths/addShortcuts": shortcutsCommand("add"),
  "item/paths/setShortcuts": shortcutsCommand("set"),
  "item/paths/removeShortcuts": removeShortcuts,
} satisfies Partial<Commands>;
