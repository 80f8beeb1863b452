import { z } from "zod";
import { part } from "../scalars.ts";
import { commonSettings, limit, refuseCrossedLimits } from "./settings.ts";

const limitPairs = [
  ["min", "max"],
  ["minItems", "maxItems"],
  ["minSkus", "maxSkus"],
] as const;

const quickSelectFolder = part((s) => z.object({ folderId: s.id }).meta({ id: "QuickSelectFolder" }));

const quickSelect = part((s) =>
  z.object({ folders: z.array(quickSelectFolder(s)).optional() }).meta({ id: "QuickSelect" }),
);

/** `min` and `max` are the older names of `minItems` and `maxItems`. */
export const itemRelations = part((s) => ({
  config: z
    .object({
      ...commonSettings(s),
      min: limit(s),
      max: limit(s),
      minItems: limit(s),
      maxItems: limit(s),
      minSkus: limit(s),
      maxSkus: limit(s),
      acceptedShapeIdentifiers: z.array(s.text).optional(),
      quickSelect: quickSelect(s).optional(),
    })
    .superRefine((config, context) => refuseCrossedLimits(config, limitPairs, context))
    .meta({ id: "ItemRelationsConfig" }),
  content: z
    .object({ itemIds: z.array(s.id).optional(), skus: z.array(s.text).optional() })
    .meta({ id: "ItemRelationsContent" }),
}));
