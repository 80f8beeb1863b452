import { z } from "zod";
import { part } from "../scalars.ts";
import { commonSettings, limit, limitedConfig, refuseCrossedLimits } from "./settings.ts";

const limitPairs = [
  ["min", "max"],
  ["minItems", "maxItems"],
  ["minSkus", "maxSkus"],
] as const;

const quickSelectFolder = part((s) =>
  z.object({ folderId: s.field("Id of the folder", s.id) }).meta({ id: "QuickSelectFolder" }),
);

const quickSelect = part((s) =>
  z
    .object({ folders: s.field("Folders to choose items from", z.array(quickSelectFolder(s)).optional()) })
    .meta({ id: "QuickSelect" }),
);

/** `min` and `max` are the older names of `minItems` and `maxItems`. */
export const itemRelations = part((s) => ({
  config: z
    .object({
      ...commonSettings(s),
      min: s.field("Older name of `minItems`", limit(s)),
      max: s.field("Older name of `maxItems`", limit(s)),
      minItems: s.field("Fewest items", limit(s)),
      maxItems: s.field("Most items", limit(s)),
      minSkus: s.field("Fewest SKUs", limit(s)),
      maxSkus: s.field("Most SKUs", limit(s)),
      acceptedShapeIdentifiers: s.field(
        "Identifiers of the shapes that related items may have; without any, all",
        z.array(s.text).optional(),
      ),
      quickSelect: s.field("Where people choose items from", quickSelect(s).optional()),
    })
    .superRefine((config, context) => refuseCrossedLimits(config, limitPairs, context))
    .meta({ id: "ItemRelationsConfig" }),
  content: z
    .object({
      itemIds: s.field("Ids of the related items", z.array(s.id).optional()),
      skus: s.field("SKUs of the related variants", z.array(s.text).optional()),
    })
    .meta({ id: "ItemRelationsContent" }),
}));

/** Grids, by id. */
export const gridRelations = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "GridRelationsConfig" }),
  content: z
    .object({ gridIds: s.field("Ids of the grids", z.array(s.id)) })
    .meta({ id: "GridRelationsContent" }),
}));
