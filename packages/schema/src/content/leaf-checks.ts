import type { ComponentConfig, ComponentContent } from "../components/component.ts";
import type { ComponentType } from "../components/types.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { oneOf, quoted } from "../problems/phrases.ts";
import { checkColors } from "./colors.ts";
import { checkFiles } from "./files.ts";
import { ceilings } from "./limits.ts";
import { checkMatch } from "./pattern.ts";
import { checkPropertiesTable } from "./properties-table.ts";
import { add, type Report } from "./report.ts";
import { lengthOfText } from "./rich-text.ts";
import { checkSize, isLimited } from "./size.ts";

type Structural = "piece" | "contentChunk" | "componentChoice" | "componentMultipleChoice";
export type LeafType = Exclude<ComponentType, Structural>;
type Content<T extends LeafType> = NonNullable<ComponentContent[T]>;
type Config<T extends LeafType> = NonNullable<ComponentConfig[T]>;

/** The checks of a component type without nested components. */
export interface LeafCheck<T extends LeafType> {
  /** True if the content is empty. It counts as absent, so no lower limit applies. */
  isEmpty(content: Content<T>): boolean;
  check?(content: Content<T>, config: Partial<Config<T>>, path: JsonPath, report: Report): void;
  /** False for settings with which `check` accepts any content. */
  restricts?(config: Partial<Config<T>>): boolean;
}

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
      if (config.pattern !== undefined) checkMatch(config.pattern, text, report, [...path, "text"]);
    },
    restricts: (config) => isLimited(config) || config.pattern !== undefined,
  },
  richText: {
    isEmpty: ({ html, json }) => !html?.length && !json?.length,
    check: (content, config, path, report) =>
      checkSize(lengthOfText(content), "characters of text", config, path, report),
    restricts: isLimited,
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
        add(report, "UnknownUnit", `The unit ${quoted(unit)} is not ${oneOf(config.units)}`, [
          ...path,
          "unit",
        ]);
    },
    restricts: ({ decimalPlaces, units = [] }) => decimalPlaces !== undefined || units.length > 0,
  },
  selection: {
    isEmpty: ({ keys }) => keys.length === 0,
    check: ({ keys }, config, path, report) => {
      const options = (config.options ?? []).map(({ key }) => key);
      const at = [...path, "keys"];
      for (const [i, key] of keys.entries())
        if (!options.includes(key))
          add(report, "UnknownOption", `${quoted(key)} is not ${oneOf(options)}`, [...at, i]);
        else if (keys.indexOf(key) < i)
          add(report, "DuplicateOption", `${quoted(key)} is selected twice`, [...at, i]);
      checkSize(keys.length, "selected options", config, at, report);
    },
  },
  images: {
    isEmpty: (images) => images.length === 0,
    check: (images, config, path, report) =>
      checkSize(images.length, "images", config, path, report, ceilings.images),
  },
  videos: {
    isEmpty: (videos) => videos.length === 0,
    check: (videos, config, path, report) =>
      checkSize(videos.length, "videos", config, path, report, ceilings.videos),
  },
  files: { isEmpty: (files) => files.length === 0, check: checkFiles },
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
      const accepted = config.acceptedShapeIdentifiers ?? [];
      if (accepted.length > 0) report.uses.relations.push({ itemIds, skus, accepted, path });
    },
  },
  propertiesTable: {
    isEmpty: ({ sections }) => !sections?.length,
    check: checkPropertiesTable,
    restricts: ({ sections = [] }) => sections.length > 0,
  },
  paragraphCollection: {
    isEmpty: ({ paragraphs }) => !paragraphs?.length,
    check: ({ paragraphs = [] }, _config, path, report) => {
      for (const [i, paragraph] of paragraphs.entries())
        for (const type of ["images", "videos"] as const) {
          const at = [...path, "paragraphs", i, type];
          checkSize(paragraph[type]?.length ?? 0, type, {}, at, report, ceilings[type]);
        }
    },
  },
  colors: {
    isEmpty: ({ colors }) => !colors?.length,
    check: checkColors,
  },
};
