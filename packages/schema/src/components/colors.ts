import { z } from "zod";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

const cmyk = part((s) =>
  z
    .object({
      c: s.field("Cyan", s.integer),
      m: s.field("Magenta", s.integer),
      y: s.field("Yellow", s.integer),
      k: s.field("Black", s.integer),
    })
    .meta({ id: "CmykColor" }),
);

const hsl = part((s) =>
  z
    .object({
      h: s.field("Hue", s.integer),
      s: s.field("Saturation", s.integer),
      l: s.field("Lightness", s.integer),
      a: s.field("Opacity", s.number.nullish()),
    })
    .meta({ id: "HslColor" }),
);

const rgb = part((s) =>
  z
    .object({
      r: s.field("Red", s.integer),
      g: s.field("Green", s.integer),
      b: s.field("Blue", s.integer),
      a: s.field("Opacity", s.number.nullish()),
    })
    .meta({ id: "RgbColor" }),
);

const color = part((s) =>
  z
    .object({
      label: s.field("Name of the color", s.text.nullish()),
      hex: s.field("Hexadecimal notation, such as `#1e90ff`", s.text.nullish()),
      pantone: s.field("Pantone code", s.text.nullish()),
      ral: s.field("RAL code", s.text.nullish()),
      cmyk: s.field("Cyan, magenta, yellow and black", cmyk(s).nullish()),
      hsl: s.field("Hue, saturation and lightness", hsl(s).nullish()),
      rgb: s.field("Red, green and blue", rgb(s).nullish()),
    })
    .meta({ id: "Color" }),
);

const notations = {
  cmyk: "cyan, magenta, yellow and black",
  hex: "hexadecimal",
  hsl: "hue, saturation and lightness",
  pantone: "Pantone code",
  ral: "RAL code",
  rgb: "red, green and blue",
} as const;

/** Colours, each in as many notations as are known. */
export const colors = part((s) => ({
  config: limitedConfig(s, {
    requireLabel: s.field("True if every color must have a label", s.boolean.optional()),
    customColorSpaces: s.field(
      "Notations that colors may be written in",
      z.array(s.oneOf(notations)).optional(),
    ),
    colorPresets: s.field("Colors to choose from", z.array(color(s)).optional()),
  }).meta({ id: "ColorsConfig" }),
  content: z
    .object({
      colors: s.field("Colors, each in as many notations as are known", z.array(color(s)).optional()),
    })
    .meta({ id: "ColorsContent" }),
}));
