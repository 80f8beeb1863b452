import { z } from "zod";
import { part } from "../scalars.ts";
import { commonSettings } from "./settings.ts";

/** A place on Earth, in degrees. */
export const location = part((s) => ({
  config: z.object(commonSettings(s)).meta({ id: "LocationConfig" }),
  content: z
    .object({ lat: s.latitude.optional(), long: s.longitude.optional() })
    .meta({ id: "LocationContent" }),
}));
