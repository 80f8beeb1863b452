import { z } from "zod";
import { part } from "../scalars.ts";
import { commonSettings, limitedConfig } from "./settings.ts";

/** Yes, no, or unset. */
export const boolean = part((s) => ({
  config: z.object(commonSettings(s)).meta({ id: "BooleanConfig" }),
  content: z.object({ value: s.field("True or false", s.boolean.optional()) }).meta({ id: "BooleanContent" }),
}));

export const datetime = part((s) => ({
  config: z.object(commonSettings(s)).meta({ id: "DatetimeConfig" }),
  content: z
    .object({ datetime: s.field("The date and time", s.dateTime.optional()) })
    .meta({ id: "DatetimeContent" }),
}));

/** A location on Earth, in degrees. */
export const location = part((s) => ({
  config: z.object(commonSettings(s)).meta({ id: "LocationConfig" }),
  content: z
    .object({
      lat: s.field("Latitude in degrees, from -90 to 90", s.latitude.optional()),
      long: s.field("Longitude in degrees, from -180 to 180", s.longitude.optional()),
    })
    .meta({ id: "LocationContent" }),
}));

/** A number and its unit. */
export const numeric = part((s) => ({
  config: z
    .object({
      ...commonSettings(s),
      decimalPlaces: s.field("Maximum decimal places of the number", s.positive.optional()),
      units: s.field("Units that the number may be in", z.array(s.text).optional()),
    })
    .meta({ id: "NumericConfig" }),
  content: z
    .object({
      number: s.field("The number", s.number),
      unit: s.field("Unit of the number, one of those that the shape lists", s.text.optional()),
    })
    .meta({ id: "NumericContent" }),
}));

/** A line of text; `pattern` is a regular expression it must match. */
export const singleLine = part((s) => ({
  config: limitedConfig(s, {
    pattern: s.field("Regular expression that the text must match", s.text.optional()),
  }).meta({ id: "SingleLineConfig" }),
  content: z.object({ text: s.field("The text", s.text.optional()) }).meta({ id: "SingleLineContent" }),
}));

/** `html` is a list of fragments in the plain form; a file may also give a single string. */
export const richText = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "RichTextConfig" }),
  content: z
    .object({
      html: s.field(
        "The text as HTML, in one piece or as a list of fragments",
        s.oneOrMany(s.text).optional(),
      ),
      json: s.field("The text as a list of nodes", z.array(s.json).optional()),
    })
    .meta({ id: "RichTextContent" }),
}));
