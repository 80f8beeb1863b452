import { z } from "zod";
import { part } from "../scalars.ts";
import { commonSettings } from "./settings.ts";

export const datetime = part((s) => ({
  config: z.object(commonSettings(s)).meta({ id: "DatetimeConfig" }),
  content: z
    .object({ datetime: s.field("The date and time", s.dateTime.optional()) })
    .meta({ id: "DatetimeContent" }),
}));
