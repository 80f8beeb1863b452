import type { ComponentDefinition, WrittenDefinition } from "../../components/component.ts";
import { compileContent } from "../../content/compile.ts";
import { validateDefinitions } from "../../content/definitions.ts";
import { knownDefinitions } from "../../content/known-definitions.ts";
import { renameComponent } from "../../content/rename-component.ts";
import type { CompiledContent } from "../../content/walk.ts";
import { quoted } from "../../problems/phrases.ts";
import type { Problem } from "../../problems/problem.ts";
import { hasTemplate, holdsTemplate } from "../../templates/is-template.ts";
import { fileLimits } from "../read/limits.ts";

export type ComponentList = "components" | "variantComponents";

/** A shape or piece as the file has defined it so far. A list that is not fully known is absent. */
export type ModelPart = { readonly [L in ComponentList]?: CompiledContent | undefined };

/** The shapes and pieces that a file has defined so far, by identifier. Memory is bounded. */
export interface ContentModel {
  readonly shape: Map<string, ModelPart>;
  readonly piece: Map<string, ModelPart>;
  /** Their total memory in bytes, estimated. */
  size: number;
}

export const contentModel = (): ContentModel => ({ shape: new Map(), piece: new Map(), size: 0 });

/** A valid operation on a shape or piece. */
export type DefinitionPayload = {
  readonly identifier: string;
} & { readonly [L in ComponentList]?: readonly WrittenDefinition[] | null };

/** Forgets all shapes or all pieces: any of them may have changed. */
export function forgetAll(model: ContentModel, kind: "shape" | "piece"): void {
  for (const part of model[kind].values()) model.size -= sizeOf(part);
  model[kind].clear();
}

/** Forgets a shape or piece that is gone, or was never there. */
export function forget(model: ContentModel, kind: "shape" | "piece", identifier: string): void {
  const part = model[kind].get(identifier);
  if (part !== undefined) model.size -= sizeOf(part);
  model[kind].delete(identifier);
}

/**
 * Records how an operation defines a shape or piece: a list replaces the previous one, null clears it, and an
 * absent list stays as it was. That list is known only if the file defined it earlier, or if the operation
 * creates. Returns the rules the definition breaks, and then changes nothing.
 */
export function define(
  model: ContentModel,
  kind: "shape" | "piece",
  creates: boolean,
  definition: DefinitionPayload,
): Problem[] {
  const { identifier } = definition;
  const parts = model[kind];
  const before = parts.get(identifier);
  // A second creation will fail, as will a definition that breaks a rule.
  if (creates && before !== undefined) return [];
  const broken = lists.flatMap((list) => brokenRules(definition[list], list));
  if (broken.length > 0) return broken;
  const start = creates ? nothing : before;
  const next = {
    components: listOf(definition.components, start?.components),
    variantComponents: listOf(definition.variantComponents, start?.variantComponents),
  };
  if (before !== undefined) model.size -= sizeOf(before);
  parts.delete(identifier);
  const size = sizeOf(next);
  if (model.size + size > fileLimits.contentModel) return [];
  model.size += size;
  parts.set(identifier, next);
  return [];
}

/** A valid renaming of a component of a shape or piece. */
export interface RenamingPayload {
  readonly identifier: string;
  readonly from: string;
  readonly to: string;
}

/** Records that an operation renames a component. Returns why it will fail, and then changes nothing. */
export function rename(
  model: ContentModel,
  kind: "shape" | "piece",
  { identifier, from, to }: RenamingPayload,
): Problem[] {
  const part = model[kind].get(identifier);
  if (part === undefined) return [];
  if (
    part.components === undefined ||
    part.variantComponents === undefined ||
    hasTemplate(from) ||
    hasTemplate(to)
  ) {
    forget(model, kind, identifier);
    return [];
  }
  const { components, variantComponents } = part;
  const outcome = renameComponent({
    owner: `${kind} ${quoted(identifier)}`,
    lists: { components: components.definitions, variantComponents: variantComponents.definitions },
    ...{ from, to },
  });
  if ("refused" in outcome) return [outcome.refused];
  const lists = Object.entries(outcome.lists).map(([list, definitions]) => [
    list,
    compileContent(definitions),
  ]);
  model[kind].set(identifier, { ...part, ...Object.fromEntries(lists) });
  return [];
}

const lists: readonly ComponentList[] = ["components", "variantComponents"];

/**
 * In definitions with templates only patterns are checked: content is matched against them, and they may be
 * unsafe.
 */
function brokenRules(list: DefinitionPayload[ComponentList], name: ComponentList): Problem[] {
  const problems = validateDefinitions(knownDefinitions(list ?? []) ?? [], [name]);
  return holdsTemplate(list) ? problems.filter(({ path }) => path.at(-1) === "pattern") : problems;
}

const empty = compileContent([]);
const nothing: ModelPart = { components: empty, variantComponents: empty };

function listOf(
  list: readonly WrittenDefinition[] | null | undefined,
  before: CompiledContent | undefined,
): CompiledContent | undefined {
  if (list === undefined) return before;
  const known = knownDefinitions(list ?? []);
  return known && compileContent(known);
}

/** Estimated bytes in addition to the rules: the identifier of at most 64 characters, and the map entry. */
const partSize = 400;

/** Estimated bytes of a rule, and of a character of its settings as JSON. */
const ruleSize = { own: 600, ofCharacter: 4 };

const sizeOf = ({ components, variantComponents }: ModelPart): number =>
  partSize + sizeOfList(components) + sizeOfList(variantComponents);

function sizeOfList(list: CompiledContent | undefined): number {
  if (list === undefined) return 0;
  let rules = 0;
  const text = JSON.stringify(list.definitions, (_key, value: Partial<ComponentDefinition> | null) => {
    if (value?.type !== undefined) rules++;
    return value;
  });
  return ruleSize.own * rules + ruleSize.ofCharacter * text.length;
}
