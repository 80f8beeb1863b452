import type { ComponentConfig, ComponentContent, ComponentType } from "@lading/schema";
import { ceilings } from "./limits.ts";
import { add, oneOf, type Path, type Report } from "./report.ts";

type Structural = "piece" | "contentChunk" | "componentChoice" | "componentMultipleChoice";
export type LeafType = Exclude<ComponentType, Structural>;
type Content<T extends LeafType> = NonNullable<ComponentContent[T]>;
type Config<T extends LeafType> = NonNullable<ComponentConfig[T]>;

/** What is checked of a component type that holds no other components. */
export interface LeafCheck<T extends LeafType> {
  /** True when the content says nothing: as good as absent, so no lower limit applies. */
  isEmpty(content: Content<T>): boolean;
  check?(content: Content<T>, config: Partial<Config<T>>, path: Path, report: Report): void;
}

interface Limits {
  min?: number | null;
  max?: number | null;
}

/** Reports a size outside of the limits that the shape sets, or above the ceiling of the type. */
function checkSize(
  size: number,
  what: string,
  { min, max }: Limits,
  path: Path,
  report: Report,
  ceiling?: number,
): void {
  if (typeof min === "number" && size < min)
    add(report, "TooFew", `${size} ${what}, but the shape wants at least ${min}`, path);
  if (typeof max === "number" && size > max)
    add(report, "TooMany", `${size} ${what}, but the shape allows at most ${max}`, path);
  else if (ceiling !== undefined && size > ceiling)
    add(report, "TooMany", `${size} ${what}, but a component holds at most ${ceiling}`, path);
}

/** A list whose length is limited. `unlimitedAtZero`: a configured maximum of 0 means that none is set. */
function list<T extends "images" | "videos" | "files">(type: T, unlimitedAtZero = false): LeafCheck<T> {
  return {
    isEmpty: (content) => (content as readonly unknown[]).length === 0,
    check: (content, config, path, report) => {
      const { min, max } = config as Limits;
      const limits = { min, max: unlimitedAtZero && max === 0 ? null : max };
      checkSize((content as readonly unknown[]).length, type, limits, path, report, ceilings[type]);
    },
  };
}

/** Patterns are compiled once; that they are harmless was checked when the shape was written. */
const patterns = new Map<string, RegExp>();

function matches(pattern: string, text: string): boolean {
  let expression = patterns.get(pattern);
  if (expression === undefined) {
    if (patterns.size >= 1_000) patterns.clear();
    expression = new RegExp(pattern);
    patterns.set(pattern, expression);
  }
  return expression.test(text);
}

/** Decimal places of a number as it is written in decimal notation. */
export function decimalPlaces(number: number): number {
  const [digits = "", exponent = "0"] = String(number).split("e");
  const fraction = digits.split(".")[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent));
}

export const leafChecks: { readonly [T in LeafType]: LeafCheck<T> } = {
  boolean: { isEmpty: ({ value }) => value === undefined },
  datetime: { isEmpty: ({ datetime }) => datetime === undefined },
  location: { isEmpty: ({ lat, long }) => lat === undefined && long === undefined },
  singleLine: {
    isEmpty: ({ text }) => text === undefined || text === "",
    check: ({ text = "" }, config, path, report) => {
      checkSize(text.length, "characters", config, [...path, "text"], report);
      if (config.pattern !== undefined && !matches(config.pattern, text))
        add(report, "PatternMismatch", `"${text}" does not match the pattern ${config.pattern}`, [
          ...path,
          "text",
        ]);
    },
  },
  richText: {
    isEmpty: ({ html, json }) => !html?.length && !json?.length,
    check: ({ html }, config, path, report) => {
      if (html === undefined) return;
      const characters = html.reduce((sum, fragment) => sum + fragment.replace(/<[^>]*>/g, "").length, 0);
      checkSize(characters, "characters of text", config, [...path, "html"], report);
    },
  },
  numeric: {
    isEmpty: () => false,
    check: ({ number, unit }, config, path, report) => {
      const places = config.decimalPlaces;
      if (places !== undefined && decimalPlaces(number) > places)
        add(
          report,
          "TooManyDecimalPlaces",
          `${number} has ${decimalPlaces(number)} decimal places, but the shape allows ${places}`,
          [...path, "number"],
        );
      if (unit !== undefined && config.units?.length && !config.units.includes(unit))
        add(report, "UnknownUnit", `The unit "${unit}" is not ${oneOf(config.units)}`, [...path, "unit"]);
    },
  },
  selection: {
    isEmpty: ({ keys }) => keys.length === 0,
    check: ({ keys }, config, path, report) => {
      const options = (config.options ?? []).map(({ key }) => key);
      for (const [i, key] of keys.entries())
        if (!options.includes(key))
          add(report, "UnknownOption", `"${key}" is not ${oneOf(options)}`, [...path, "keys", i]);
      checkSize(keys.length, "selected options", config, [...path, "keys"], report);
    },
  },
  images: list("images"),
  videos: list("videos"),
  files: list("files", true),
  gridRelations: {
    isEmpty: ({ gridIds }) => gridIds.length === 0,
    check: ({ gridIds }, config, path, report) =>
      checkSize(gridIds.length, "grids", config, [...path, "gridIds"], report, ceilings.gridRelations),
  },
  itemRelations: {
    isEmpty: ({ itemIds, skus }) => !itemIds?.length && !skus?.length,
    check: ({ itemIds = [], skus = [] }, config, path, report) => {
      const items = { min: config.minItems ?? config.min, max: config.maxItems ?? config.max };
      checkSize(itemIds.length, "items", items, [...path, "itemIds"], report);
      checkSize(skus.length, "SKUs", { min: config.minSkus, max: config.maxSkus }, [...path, "skus"], report);
      checkSize(itemIds.length + skus.length, "relations", {}, path, report, ceilings.itemRelations);
    },
  },
  propertiesTable: {
    isEmpty: ({ sections }) => !sections?.length,
    check: checkPropertiesTable,
  },
  paragraphCollection: { isEmpty: ({ paragraphs }) => !paragraphs?.length },
  colors: {
    isEmpty: ({ colors }) => !colors?.length,
    check: checkColors,
  },
};

/** With sections in the shape, only these sections and their keys may be used; one without a title is taken by its place. */
function checkPropertiesTable(
  { sections = [] }: Content<"propertiesTable">,
  config: Partial<Config<"propertiesTable">>,
  path: Path,
  report: Report,
): void {
  const configured = config.sections ?? [];
  if (configured.length === 0) return;
  for (const [i, section] of sections.entries()) {
    const at = [...path, "sections", i];
    const known =
      section.title === undefined ? configured[i] : configured.find(({ title }) => title === section.title);
    if (known === undefined) {
      const titles = configured.map(({ title }) => title ?? "").filter((title) => title !== "");
      add(
        report,
        "UnknownSection",
        `The shape has no section "${section.title ?? i}"; it has ${oneOf(titles)}`,
        at,
      );
      continue;
    }
    for (const [j, { key }] of (section.properties ?? []).entries())
      if (known.keys.length > 0 && !known.keys.includes(key))
        add(report, "UnknownPropertyKey", `"${key}" is not ${oneOf(known.keys)}`, [
          ...at,
          "properties",
          j,
          "key",
        ]);
  }
}

const colorSpaces = ["hex", "pantone", "ral", "cmyk", "hsl", "rgb"] as const;

function checkColors(
  { colors = [] }: Content<"colors">,
  config: Partial<Config<"colors">>,
  path: Path,
  report: Report,
): void {
  checkSize(colors.length, "colors", config, [...path, "colors"], report, ceilings.colors);
  for (const [i, color] of colors.entries()) {
    const at = [...path, "colors", i];
    if (config.requireLabel && !color.label)
      add(report, "LabelMissing", "The shape wants a label for each color", at);
    const { hex } = color;
    if (typeof hex === "string" && !/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(hex))
      add(report, "InvalidColor", `"${hex}" is not a hex color such as "#1a2b3c"`, [...at, "hex"]);
    const used = colorSpaces.filter((space) => color[space] !== undefined && color[space] !== null);
    if (used.length === 0) add(report, "InvalidColor", `A color needs one of ${oneOf(colorSpaces)}`, at);
  }
}
