import type { ComponentContent, ComponentDefinition } from "../components/component.ts";
import { isComponentType } from "../components/types.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { keyOf } from "./component-keys.ts";
import { type LeafCheck, type LeafType, leafChecks } from "./leaf-checks.ts";
import {
  advisedProblems,
  duplicateComponent,
  noContent,
  requiredEmpty,
  requiredMissing,
  unknownComponent,
  wrongComponentType,
} from "./problems.ts";
import { addProblem } from "./report.ts";
import { choiceCheck, chunkCheck, multipleChoiceCheck, pieceCheck } from "./structural-checks.ts";
import { type Check, type CompiledContent, isOpen, type ValidateOptions, type Walk } from "./walk.ts";

/** Compiles component definitions into content rules. The definitions must be valid. */
export function compileContent(definitions: readonly ComponentDefinition[]): CompiledContent {
  const rules = new Map(definitions.map((definition) => [definition.id, ruleOf(definition)]));
  const walk: CompiledContent["walk"] = (components, walk, path) => walkList(rules, components, walk, path);
  return {
    definitions,
    walk,
    validate: (components, options) => {
      const state = beginWalk(options);
      const walked = walk(components, state, options.path ?? ["components"]);
      return { components: walked, errors: state.errors, uses: state.uses };
    },
  };
}

const beginWalk = ({
  complete,
  pieces,
  patterns = { spent: 0 },
  mediaTypeOf,
  unrendered,
}: ValidateOptions): Walk => ({
  ...{ complete, pieces, patterns, mediaTypeOf, unrendered },
  errors: [],
  uses: { relations: [], files: [] },
  depth: 0,
});

/** Content with unknown rules: anything is accepted. */
export const anyContent: CompiledContent = {
  definitions: [],
  walk: (components) => [...components],
  validate: (components) => ({ components: [...components], errors: [], uses: { relations: [], files: [] } }),
};

/** The rules for the content of one component of a shape or piece. */
interface Rule {
  readonly definition: ComponentDefinition;
  readonly required: boolean;
  readonly check: Check;
}

/** True for a component without which an item cannot be published. */
export const isRequired = ({ type, config }: ComponentDefinition): boolean =>
  config?.[type]?.required === true;

/** True for a component with `multilingual: false`, whose content is shared by all languages. */
export const isShared = ({ type, config }: ComponentDefinition): boolean =>
  config?.[type]?.multilingual === false;

function ruleOf(definition: ComponentDefinition): Rule {
  const required = isRequired(definition);
  return { definition, required, check: compileCheck(definition, required) };
}

function compileCheck({ type, config }: ComponentDefinition, required: boolean): Check {
  switch (type) {
    case "piece":
      return pieceCheck(config?.piece?.identifier);
    case "contentChunk": {
      const { components, repeatable = false } = config?.contentChunk ?? {};
      return chunkCheck(insideOf(components), repeatable);
    }
    case "componentChoice":
      return choiceCheck(insideOf(config?.componentChoice?.choices));
    case "componentMultipleChoice": {
      const { choices, allowDuplicates = false } = config?.componentMultipleChoice ?? {};
      return multipleChoiceCheck(insideOf(choices), allowDuplicates);
    }
    default:
      return leafCheck(type, config?.[type] ?? {}, required);
  }
}

/** Definitions are absent only in a file, where a template supplies them. */
const insideOf = (definitions: readonly ComponentDefinition[] | undefined) =>
  definitions === undefined ? anyContent : compileContent(definitions);

function leafCheck(type: LeafType, config: object, required: boolean): Check {
  const { isEmpty, check, restricts }: LeafCheck<LeafType> = leafChecks[type];
  const restricting = restricts?.(config) === false ? undefined : check;
  return (content, walk, path) => {
    // In a file, content is accepted without being brought into normal form.
    if (walk.unrendered !== undefined && !required && restricting === undefined) return content;
    const known = walk.unrendered ? walk.unrendered.normal(type, content) : content;
    if (known === undefined) return content;
    const own = known as never; // the content, as `checkComponent` passed it
    if (isEmpty(own)) return undefined;
    restricting?.(own, config, path, walk);
    return content;
  };
}

type Rules = ReadonlyMap<string, Rule>;

function walkList(
  rules: Rules,
  components: readonly ComponentContent[],
  walk: Walk,
  path: JsonPath,
): ComponentContent[] {
  const stored: ComponentContent[] = [];
  const seen = new Set<string>();
  let open = false;
  for (const [i, component] of components.entries()) {
    const { componentId } = component;
    const rule = rules.get(componentId);
    if (isOpen(walk, componentId)) open = true;
    else if (rule === undefined)
      addProblem(walk, unknownComponent(componentId, advised(walk) ? definitionsOf(rules) : undefined), [
        ...path,
        i,
        "componentId",
      ]);
    else if (seen.has(componentId)) addProblem(walk, duplicateComponent(componentId), [...path, i]);
    else {
      const content = checkComponent(component, rule, walk, path, i);
      if (content !== undefined) stored.push(content);
    }
    seen.add(componentId);
  }
  if (walk.complete && !open) reportMissing(rules, seen, walk, path);
  return stored;
}

const definitionsOf = (rules: Rules) => Array.from(rules.values(), ({ definition }) => definition);

const advised = ({ errors, unrendered }: Walk) =>
  errors.length < advisedProblems && (unrendered?.advises() ?? true);

function reportMissing(rules: Rules, seen: ReadonlySet<string>, walk: Walk, path: JsonPath): void {
  for (const [id, { definition, required }] of rules)
    if (required && !seen.has(id)) addProblem(walk, requiredMissing(definition), path);
}

/** Checks that the content has the component's type, then the content itself. */
function checkComponent(
  component: ComponentContent,
  { definition, required, check }: Rule,
  walk: Walk,
  path: JsonPath,
  i: number,
): ComponentContent | undefined {
  const { type } = definition;
  const errorsBefore = walk.errors.length;
  reportWrongType(component, definition, walk, path, i);
  const content = component[type];
  // The check is that of the type; a table cannot express that in types.
  const checked =
    content === undefined || content === null ? undefined : check(content as never, walk, [...path, i, type]);
  if (walk.errors.length > errorsBefore) return undefined;
  if (checked === undefined && required) addProblem(walk, requiredEmpty(definition), [...path, i]);
  return checked === undefined
    ? undefined
    : ({ componentId: keyOf(definition), [type]: checked } as ComponentContent);
}

/** Reports content under a key other than the component's type. Other keys may be present if they are null. */
function reportWrongType(
  component: Readonly<Record<string, unknown>>,
  definition: ComponentDefinition,
  walk: Walk,
  path: JsonPath,
  i: number,
): void {
  const { type } = definition;
  let other = false;
  for (const key in component) {
    if (key === "componentId" || key === type || component[key] == null) continue;
    other = true;
    // A field no component type has gets a warning of its own, and may be a misspelt type.
    if (isComponentType(key)) addProblem(walk, wrongComponentType(definition, key), [...path, i, key]);
  }
  if (!other && component[type] === undefined) addProblem(walk, noContent(definition), [...path, i]);
}
