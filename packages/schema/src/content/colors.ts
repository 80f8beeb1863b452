import type { ComponentConfig, ComponentContent } from "../components/component.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { oneOf, quoted } from "../problems/phrases.ts";
import { same } from "../same.ts";
import { ceilings } from "./limits.ts";
import { add, type Report } from "./report.ts";
import { checkSize } from "./size.ts";

type Content = NonNullable<ComponentContent["colors"]>;
type Config = Partial<NonNullable<ComponentConfig["colors"]>>;
type Color = NonNullable<Content["colors"]>[number];

const spaces = ["hex", "pantone", "ral", "cmyk", "hsl", "rgb"] as const;
const hexColor = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Checks the number of colors, their fields, and the color spaces of those that are not presets of the shape. */
export function checkColors({ colors = [] }: Content, config: Config, path: JsonPath, report: Report): void {
  checkSize(colors.length, "colors", config, [...path, "colors"], report, ceilings.colors);
  for (const [i, color] of colors.entries()) checkColor(color, config, [...path, "colors", i], report);
}

function checkColor(color: Color, config: Config, path: JsonPath, report: Report): void {
  if (config.requireLabel && !color.label)
    add(report, "LabelMissing", "The shape requires a label for each color", path);
  if (typeof color.hex === "string" && !hexColor.test(color.hex))
    add(report, "InvalidColor", `${quoted(color.hex)} is not a hex color such as "#1a2b3c"`, [
      ...path,
      "hex",
    ]);
  const used = spaces.filter((space) => color[space] !== undefined && color[space] !== null);
  if (used.length === 0) add(report, "InvalidColor", `A color needs one of ${oneOf(spaces)}`, path);
  const { customColorSpaces: allowed = [], colorPresets = [] } = config;
  if (allowed.length === 0 || colorPresets.some((preset) => same(preset, color))) return;
  for (const space of used)
    if (!allowed.includes(space))
      add(
        report,
        "UnknownColorSpace",
        `A color that is not a preset may have ${oneOf(allowed)}, not ${space}`,
        [...path, space],
      );
}
