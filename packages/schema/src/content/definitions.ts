import type { ComponentConfig, ComponentDefinition } from "../components/component.ts";
import type { ComponentType } from "../components/types.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { quoted } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { ceilings } from "./limits.ts";
import { checkPattern } from "./pattern.ts";
import { add, type Errors } from "./report.ts";
import { counted } from "./size.ts";

/** Checks the component definitions of a shape or piece; `path` leads to their list in the payload. */
export function validateDefinitions(definitions: readonly ComponentDefinition[], path: JsonPath): Problem[] {
  const report: Errors = { errors: [] };
  checkList(definitions, report, path, false);
  return report.errors;
}

function checkList(
  definitions: readonly ComponentDefinition[],
  report: Errors,
  path: JsonPath,
  nested: boolean,
): void {
  const ids = new Set<string>();
  for (const [i, definition] of definitions.entries()) {
    const { id, type } = definition;
    const at = [...path, i];
    if (ids.has(id))
      add(report, "DuplicateComponent", `Two components have the id ${quoted(id)}`, [...at, "id"]);
    ids.add(id);
    if (nested && structural.has(type))
      add(
        report,
        "StructureInStructure",
        `A ${type} cannot be directly inside another chunk or choice; put it into a piece`,
        [...at, "type"],
      );
    checkDefinition(definition, report, at);
  }
}

/** The types that contain other components and cannot be nested directly. */
const structural: ReadonlySet<ComponentType> = new Set([
  "contentChunk",
  "componentChoice",
  "componentMultipleChoice",
]);

const needsSettings: ReadonlySet<ComponentType> = new Set(["piece", "selection", ...structural]);

function checkDefinition(definition: ComponentDefinition, report: Errors, path: JsonPath): void {
  const { name, description = "", type, config = {} } = definition;
  checkLength(name, "name", ceilings.componentName, report, path);
  checkLength(description, "description", ceilings.componentDescription, report, path);
  checkSettingsType(definition, report, path);
  const at = [...path, "config", type];
  checkLimits(config[type] ?? {}, report, at);
  checkSettings(config, type, report, at);
  checkInside(config, type, report, at);
}

function checkLength(text: string, what: string, most: number, report: Errors, path: JsonPath): void {
  if (text.length > most)
    add(report, "TooLong", `The ${what} has ${text.length} characters; at most ${most} are allowed`, [
      ...path,
      what,
    ]);
}

/** Settings belong to the component's type; some types require them. */
function checkSettingsType({ type, config = {} }: ComponentDefinition, report: Errors, path: JsonPath): void {
  if (needsSettings.has(type) && config[type] === undefined)
    add(report, "ConfigMissing", `A ${type} needs its settings under config.${type}`, path);
  for (const [key, settings] of Object.entries<unknown>(config))
    if (key !== type && settings !== undefined)
      add(report, "WrongConfig", `The component is of the type ${type}, but has settings for ${key}`, [
        ...path,
        "config",
        key,
      ]);
}

const limits = {
  min: ceilings.configuredMin,
  max: ceilings.configuredMax,
  minItems: ceilings.configuredMin,
  maxItems: ceilings.configuredMax,
  minSkus: ceilings.configuredMin,
  maxSkus: ceilings.configuredMax,
};

function checkLimits(settings: Readonly<Record<string, unknown>>, report: Errors, path: JsonPath): void {
  for (const [name, most] of Object.entries(limits)) {
    const limit = settings[name];
    if (typeof limit === "number" && limit > most)
      add(report, "LimitTooLarge", `${name} is ${limit}; at most ${most} is allowed`, [...path, name]);
  }
}

function checkSettings(config: ComponentConfig, type: ComponentType, report: Errors, path: JsonPath): void {
  if (type === "singleLine") checkPattern(config.singleLine?.pattern, report, [...path, "pattern"]);
  if (type === "numeric") checkDecimalPlaces(config.numeric?.decimalPlaces, report, path);
  if (type === "itemRelations") checkQuickSelect(config.itemRelations?.quickSelect, report, path);
  if (type === "selection") checkOptions(config.selection?.options ?? [], report, [...path, "options"]);
}

function checkDecimalPlaces(places: number | undefined, report: Errors, path: JsonPath): void {
  if (places === undefined || (Number.isInteger(places) && places <= ceilings.decimalPlaces)) return;
  const message = `decimalPlaces is ${places}; a whole number up to ${ceilings.decimalPlaces} is allowed`;
  add(report, "LimitTooLarge", message, [...path, "decimalPlaces"]);
}

function checkQuickSelect(
  quickSelect: NonNullable<ComponentConfig["itemRelations"]>["quickSelect"],
  report: Errors,
  path: JsonPath,
): void {
  const count = quickSelect?.folders?.length ?? 0;
  const most = ceilings.quickSelectFolders;
  if (count > most)
    add(report, "TooMany", `${count} quick-select folders; at most ${most} are allowed`, [
      ...path,
      "quickSelect",
      "folders",
    ]);
}

function checkOptions(options: readonly { key: string }[], report: Errors, path: JsonPath): void {
  const keys = new Set<string>();
  for (const [i, { key }] of options.entries()) {
    if (keys.has(key))
      add(report, "DuplicateOption", `Two options have the key ${quoted(key)}`, [...path, i, "key"]);
    keys.add(key);
  }
}

function checkInside(config: ComponentConfig, type: ComponentType, report: Errors, path: JsonPath): void {
  const inside = insideOf(config, type);
  if (inside?.list === undefined) return;
  const { key, list, least } = inside;
  const at = [...path, key];
  if (list.length < least)
    add(report, "TooFew", `${counted(list.length, key)}, but a ${type} needs at least ${least}`, at);
  checkList(list, report, at, true);
}

/** The definitions inside a component. The list is absent only in a file, where a template supplies it. */
function insideOf(
  config: ComponentConfig,
  type: ComponentType,
): { key: string; list: readonly ComponentDefinition[] | undefined; least: number } | undefined {
  const { contentChunk, componentChoice, componentMultipleChoice } = config;
  if (type === "contentChunk" && contentChunk)
    return { key: "components", list: contentChunk.components, least: 1 };
  if (type === "componentChoice" && componentChoice)
    return { key: "choices", list: componentChoice.choices, least: 2 };
  if (type === "componentMultipleChoice" && componentMultipleChoice)
    return { key: "choices", list: componentMultipleChoice.choices, least: 1 };
  return undefined;
}
