import type { Setting, SettingList } from "../tenants/settings.ts";
import { defineCollection } from "../unit-of-work/collection.ts";

export interface SettingRow {
  list: SettingList;
  /** The value operations use to refer to it: see `settingKeys`. */
  identifier: string;
  /** Orders the settings of a list; any integers. The first is the default. */
  position: number;
  value: Setting<SettingList>;
  createdAt: string;
  updatedAt: string;
}

export const settings = defineCollection<SettingRow>()({
  table: "settings",
  columns: {
    list: "text",
    identifier: "text",
    position: "int",
    value: "json",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["list", "identifier"],
  indexes: { list: ["list"] },
});
