import { z } from "zod";
import { part } from "../scalars.ts";

export const keyValue = part((s) =>
  z.object({ key: s.filledText, value: s.text.nullish() }).meta({ id: "KeyValue" }),
);
