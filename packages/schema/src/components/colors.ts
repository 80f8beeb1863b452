import { z } from "zod";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

const cmyk = part((s) =>
  z.object({ c: s.integer, m: s.integer, y: s.integer, k: s.integer }).meta({ id: "CmykColor" }),
);

const hsl = part((s) =>
  z.object({ h: s.integer, s: s.integer, l: s.integer, a: s.number.nullish() }).meta({ id: "HslColor" }),
);

const rgb = part((s) =>
  z.object({ r: s.integer, g: s.integer, b: s.integer, a: s.number.nullish() }).meta({ id: "RgbColor" }),
);

const color = part((s) =>
  z
    .object({
      label: s.text.nullish(),
      hex: s.text.nullish(),
      pantone: s.text.nullish(),
      ral: s.text.nullish(),
      cmyk: cmyk(s).nullish(),
      hsl: hsl(s).nullish(),
      rgb: rgb(s).nullish(),
    })
    .meta({ id: "Color" }),
);

/** Colours, each in as many notations as are known of it. */
export const colors = part((s) => ({
  config: limitedConfig(s, {
    requireLabel: s.boolean.optional(),
    customColorSpaces: z.array(s.oneOf(["cmyk", "hex", "hsl", "pantone", "ral", "rgb"])).optional(),
    colorPresets: z.array(color(s)).optional(),
  }).meta({ id: "ColorsConfig" }),
  content: z.object({ colors: z.array(color(s)).optional() }).meta({ id: "ColorsContent" }),
}));
