import { z } from "zod";
import { part } from "../scalars.ts";
import { commonSettings } from "./settings.ts";

/** A place on Earth, in degrees. */
export const location = part((s) => ({
  config: z.object(commonSettings(s)).meta({ id: "LocationConfig" }),
  content: z
    .object({
      lat: s.field("Latitude in degrees, from -90 to 90", s.latitude.optional()),
      long: s.field("Longitude in degrees, from -180 to 180", s.longitude.optional()),
    })
    .meta({ id: "LocationContent" }),
}));
