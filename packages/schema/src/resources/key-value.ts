import { z } from "zod";
import { part } from "../scalars.ts";

/** A pair of texts, for metadata. A key may have no value. */
export const keyValue = part((s) =>
  z
    .object({
      key: s.field("The key", s.filledText),
      value: s.field("The value; a key may have none", s.text.nullish()),
    })
    .meta({ id: "KeyValue" }),
);
