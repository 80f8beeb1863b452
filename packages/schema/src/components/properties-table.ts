import { z } from "zod";
import { keyValue } from "../resources/key-value.ts";
import { part } from "../scalars.ts";
import { commonSettings } from "./settings.ts";

const sectionConfig = part((s) =>
  z
    .object({
      title: s.field("Title of the section", s.text.optional()),
      keys: s.field("Keys of the section", z.array(s.text)),
    })
    .meta({ id: "PropertiesTableSectionConfig" }),
);

const sectionContent = part((s) =>
  z
    .object({
      title: s.field("Title of the section", s.text.optional()),
      properties: s.field("Keys of the section with their values", z.array(keyValue(s)).optional()),
    })
    .meta({ id: "PropertiesTableSection" }),
);

/** Sections of keys with values; settings may fix the sections and their keys. */
export const propertiesTable = part((s) => ({
  config: z
    .object({
      ...commonSettings(s),
      sections: s.field("Sections of the table, in order", z.array(sectionConfig(s)).optional()),
    })
    .meta({ id: "PropertiesTableConfig" }),
  content: z
    .object({ sections: s.field("Sections of the table, in order", z.array(sectionContent(s)).optional()) })
    .meta({ id: "PropertiesTableContent" }),
}));
