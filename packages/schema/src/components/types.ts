import { keysOf } from "../tables.ts";
import { colors } from "./colors.ts";
import { files, images, videos } from "./media.ts";
import { componentChoice, componentMultipleChoice, contentChunk, piece } from "./nested.ts";
import { paragraphCollection } from "./paragraph-collection.ts";
import { propertiesTable } from "./properties-table.ts";
import { gridRelations, itemRelations } from "./relations.ts";
import { selection } from "./selection.ts";
import { boolean, datetime, location, numeric, richText, singleLine } from "./simple.ts";

/** The component types whose content is allowed inside a chunk or a choice. */
export const nestableTypes = {
  boolean,
  colors,
  datetime,
  files,
  gridRelations,
  images,
  itemRelations,
  location,
  numeric,
  paragraphCollection,
  piece,
  propertiesTable,
  richText,
  selection,
  singleLine,
  videos,
};

/** Every component type: the schema of its settings in a shape, and of its content in an item. */
export const types = { ...nestableTypes, componentChoice, componentMultipleChoice, contentChunk };

export type NestableType = keyof typeof nestableTypes;
export type ComponentType = keyof typeof types;

export const typeMeanings: Readonly<Record<ComponentType, string>> = {
  boolean: "yes or no",
  colors: "colors in several notations",
  datetime: "a date and time",
  files: "files by their keys",
  gridRelations: "grids by their ids",
  images: "images by their keys",
  itemRelations: "relations to items and variants",
  location: "a location on Earth",
  numeric: "a number with a unit",
  paragraphCollection: "paragraphs with title, text, images and videos",
  piece: "the components of a piece",
  propertiesTable: "a table of keys and values",
  richText: "formatted text",
  selection: "some of the options that the shape lists",
  singleLine: "a line of text",
  videos: "videos by their keys",
  componentChoice: "one of several components",
  componentMultipleChoice: "any number of several components",
  contentChunk: "rows of components",
};

export const componentTypes: readonly ComponentType[] = keysOf(types);

export const isComponentType = (name: string): name is ComponentType => Object.hasOwn(types, name);
