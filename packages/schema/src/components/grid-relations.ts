import { z } from "zod";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

/** Grids, by id. */
export const gridRelations = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "GridRelationsConfig" }),
  content: z
    .object({ gridIds: s.field("Ids of the grids", z.array(s.id)) })
    .meta({ id: "GridRelationsContent" }),
}));
