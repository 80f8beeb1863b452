import { z } from "zod";
import { keyValue } from "../resources/key-value.ts";
import { part } from "../scalars.ts";
import { commonSettings } from "./settings.ts";

const sectionConfig = part((s) =>
  z.object({ title: s.text.optional(), keys: z.array(s.text) }).meta({ id: "PropertiesTableSectionConfig" }),
);

const sectionContent = part((s) =>
  z
    .object({ title: s.text.optional(), properties: z.array(keyValue(s)).optional() })
    .meta({ id: "PropertiesTableSection" }),
);

/** Sections of keys with values; settings may fix the sections and their keys. */
export const propertiesTable = part((s) => ({
  config: z
    .object({ ...commonSettings(s), sections: z.array(sectionConfig(s)).optional() })
    .meta({ id: "PropertiesTableConfig" }),
  content: z
    .object({ sections: z.array(sectionContent(s)).optional() })
    .meta({ id: "PropertiesTableContent" }),
}));
