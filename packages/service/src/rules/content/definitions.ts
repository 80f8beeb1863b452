import type { ComponentConfig, ComponentDefinition } from "@lading/schema";
import safeRegex from "safe-regex2";
import type { ErrorDetail } from "../../errors.ts";
import { ceilings } from "./limits.ts";
import { add, type Path, type Report } from "./report.ts";

/** The types that hold other components and may not stand directly inside one another. */
const structural: readonly string[] = ["contentChunk", "componentChoice", "componentMultipleChoice"];

/** Checks the component definitions of a shape or piece; `path` is where their list is in the payload. */
export function validateDefinitions(definitions: readonly ComponentDefinition[], path: Path): ErrorDetail[] {
  const report: Report = { errors: [] };
  checkList(definitions, report, path, false);
  return report.errors;
}

function checkList(
  definitions: readonly ComponentDefinition[],
  report: Report,
  path: Path,
  nested: boolean,
): void {
  const ids = definitions.map(({ id }) => id);
  for (const [i, definition] of definitions.entries()) {
    const { id, type } = definition;
    if (ids.indexOf(id) < i)
      add(report, "DuplicateComponent", `Two components have the id "${id}"`, [...path, i, "id"]);
    if (nested && structural.includes(type))
      add(
        report,
        "StructureInStructure",
        `A ${type} cannot stand directly inside another chunk or choice; put it into a piece`,
        [...path, i, "type"],
      );
    checkDefinition(definition, report, [...path, i]);
  }
}

function checkDefinition(
  { name, description, type, config = {} }: ComponentDefinition,
  report: Report,
  path: Path,
): void {
  checkLength(name, "name", ceilings.componentName, report, path);
  checkLength(description ?? "", "description", ceilings.componentDescription, report, path);
  if (needsConfig.includes(type) && config[type] === undefined)
    add(report, "ConfigMissing", `A ${type} needs its settings under config.${type}`, path);
  const at = [...path, "config", type];
  checkConfiguredLimits((config[type] ?? {}) as Limits, report, at);
  configChecks[type]?.(config, report, at);
  const inside = insideOf(config);
  if (inside === undefined) return;
  if (inside.list.length < inside.least)
    add(
      report,
      "TooFew",
      `${inside.list.length} ${inside.key}, but a ${type} needs at least ${inside.least}`,
      [...at, inside.key],
    );
  checkList(inside.list, report, [...at, inside.key], true);
}

const needsConfig: readonly string[] = ["piece", "selection", ...structural];

function insideOf(config: ComponentConfig) {
  if (config.contentChunk) return { key: "components", list: config.contentChunk.components, least: 1 };
  if (config.componentChoice) return { key: "choices", list: config.componentChoice.choices, least: 2 };
  if (config.componentMultipleChoice)
    return { key: "choices", list: config.componentMultipleChoice.choices, least: 1 };
  return undefined;
}

function checkLength(text: string, what: string, most: number, report: Report, path: Path): void {
  if (text.length > most)
    add(report, "TooLong", `The ${what} has ${text.length} characters; at most ${most} are allowed`, [
      ...path,
      what,
    ]);
}

interface Limits {
  min?: number | null;
  max?: number | null;
}

function checkConfiguredLimits({ min, max }: Limits, report: Report, path: Path): void {
  if (typeof min === "number" && min > ceilings.configuredMin)
    add(report, "LimitTooLarge", `min is ${min}; at most ${ceilings.configuredMin} is allowed`, [
      ...path,
      "min",
    ]);
  if (typeof max === "number" && max > ceilings.configuredMax)
    add(report, "LimitTooLarge", `max is ${max}; at most ${ceilings.configuredMax} is allowed`, [
      ...path,
      "max",
    ]);
}

type ConfigCheck = (config: ComponentConfig, report: Report, path: Path) => void;

const configChecks: Partial<Record<string, ConfigCheck>> = {
  singleLine: ({ singleLine }, report, path) =>
    checkPattern(singleLine?.pattern, report, [...path, "pattern"]),
  numeric: ({ numeric }, report, path) => {
    const places = numeric?.decimalPlaces;
    if (places !== undefined && places > ceilings.decimalPlaces)
      add(
        report,
        "LimitTooLarge",
        `decimalPlaces is ${places}; at most ${ceilings.decimalPlaces} is allowed`,
        [...path, "decimalPlaces"],
      );
  },
  itemRelations: ({ itemRelations }, report, path) => {
    const folders = itemRelations?.quickSelect?.folders?.length ?? 0;
    if (folders > ceilings.quickSelectFolders)
      add(
        report,
        "TooMany",
        `${folders} quick-select folders; at most ${ceilings.quickSelectFolders} are allowed`,
        [...path, "quickSelect", "folders"],
      );
  },
  selection: ({ selection }, report, path) => {
    const keys = (selection?.options ?? []).map(({ key }) => key);
    for (const [i, key] of keys.entries())
      if (keys.indexOf(key) < i)
        add(report, "DuplicateOption", `Two options have the key "${key}"`, [...path, "options", i, "key"]);
  },
};

/** A pattern is run on every content that is written, so one that could take for ever is refused here. */
function checkPattern(pattern: string | undefined, report: Report, path: Path): void {
  const wrong = pattern === undefined ? undefined : wrongPattern(pattern);
  if (wrong !== undefined) add(report, wrong.code, wrong.message, path);
}

function wrongPattern(pattern: string): { code: string; message: string } | undefined {
  const { length } = pattern;
  if (length > ceilings.pattern)
    return {
      code: "TooLong",
      message: `The pattern has ${length} characters; at most ${ceilings.pattern} are allowed`,
    };
  try {
    new RegExp(pattern);
  } catch (error) {
    return {
      code: "InvalidPattern",
      message: `The pattern is not a regular expression: ${(error as Error).message}`,
    };
  }
  if (safeRegex(pattern)) return undefined;
  return {
    code: "UnsafePattern",
    message: `The pattern ${pattern} repeats a repetition, which can take very long`,
  };
}
