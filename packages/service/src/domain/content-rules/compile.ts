import type { JsonPath } from "@lading/schema";
import {
  advisedProblems,
  type ComponentContent,
  type ComponentDefinition,
  duplicateComponent,
  noContent,
  requiredEmpty,
  requiredMissing,
  unknownComponent,
  wrongComponentType,
} from "@lading/schema";
import type { Problem } from "../../errors.ts";
import { type LeafCheck, type LeafType, leafChecks } from "./leaf-checks.ts";
import { addProblem, type Uses } from "./report.ts";
import { choiceCheck, chunkCheck, multipleChoiceCheck, pieceCheck } from "./structural-checks.ts";
import type { Check, CompiledContent, Walk } from "./walk.ts";

/** Compiles component definitions into content rules. The definitions must be valid. */
export function compileContent(definitions: readonly ComponentDefinition[]): CompiledContent {
  const rules = new Map(definitions.map((definition) => [definition.id, ruleOf(definition)]));
  const walk: CompiledContent["walk"] = (components, walk, path) => walkList(rules, components, walk, path);
  return {
    definitions,
    walk,
    validate: (components, { complete, pieces, path = ["components"], patterns = { spent: 0 } }) => {
      const errors: Problem[] = [];
      const uses: Uses = { relations: [], files: [] };
      const walked = walk(components, { complete, pieces, patterns, errors, uses, depth: 0 }, path);
      return { components: walked, errors, uses };
    },
  };
}

/** The rules for the content of one component of a shape or piece. */
interface Rule {
  readonly definition: ComponentDefinition;
  readonly required: boolean;
  readonly check: Check;
}

function ruleOf(definition: ComponentDefinition): Rule {
  const { type, config } = definition;
  return { definition, required: config?.[type]?.required === true, check: compileCheck(definition) };
}

function compileCheck({ type, config }: ComponentDefinition): Check {
  switch (type) {
    case "piece":
      return pieceCheck(config?.piece?.identifier ?? "");
    case "contentChunk": {
      const { components = [], repeatable = false } = config?.contentChunk ?? {};
      return chunkCheck(compileContent(components), repeatable);
    }
    case "componentChoice":
      return choiceCheck(compileContent(config?.componentChoice?.choices ?? []));
    case "componentMultipleChoice": {
      const { choices = [], allowDuplicates = false } = config?.componentMultipleChoice ?? {};
      return multipleChoiceCheck(compileContent(choices), allowDuplicates);
    }
    default:
      return leafCheck(leafChecks[type] as LeafCheck<LeafType>, config?.[type] ?? {});
  }
}

function leafCheck({ isEmpty, check }: LeafCheck<LeafType>, config: object): Check {
  return (content, walk, path) => {
    // `checkComponent` passes the content under the key of the type that this check is for; a table cannot be typed so.
    const own = content as never;
    if (isEmpty(own)) return undefined;
    check?.(own, config, path, walk);
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
  for (const [i, component] of components.entries()) {
    const { componentId } = component;
    const rule = rules.get(componentId);
    const at = path.concat(i);
    if (rule === undefined)
      addProblem(walk, unknownComponent(componentId, advised(walk) ? rules : undefined), [
        ...at,
        "componentId",
      ]);
    else if (seen.has(componentId)) addProblem(walk, duplicateComponent(componentId), at);
    else {
      const content = checkComponent(component, rule, walk, at);
      if (content !== undefined) stored.push(content);
    }
    seen.add(componentId);
  }
  if (walk.complete) reportMissing(rules, seen, walk, path);
  return stored;
}

const advised = ({ errors }: Walk) => errors.length < advisedProblems;

function reportMissing(rules: Rules, seen: ReadonlySet<string>, walk: Walk, path: JsonPath): void {
  for (const [id, { definition, required }] of rules)
    if (required && !seen.has(id)) addProblem(walk, requiredMissing(definition), path);
}

/** Checks that the content is of the component's type, then the content itself. */
function checkComponent(
  component: ComponentContent,
  { definition, required, check }: Rule,
  walk: Walk,
  path: JsonPath,
): ComponentContent | undefined {
  const { id, type } = definition;
  const errorsBefore = walk.errors.length;
  reportWrongType(component, definition, walk, path);
  const content = component[type];
  const checked =
    content === undefined || content === null ? undefined : check(content, walk, path.concat(type));
  if (walk.errors.length > errorsBefore) return undefined;
  if (checked === undefined && required) addProblem(walk, requiredEmpty(definition), path);
  return checked === undefined ? undefined : ({ componentId: id, [type]: checked } as ComponentContent);
}

/** Reports content with another key than its component's type. Other keys may be present if they are null. */
function reportWrongType(
  component: ComponentContent,
  definition: ComponentDefinition,
  walk: Walk,
  path: JsonPath,
): void {
  const { type } = definition;
  let wrong = false;
  for (const key in component) {
    if (key === "componentId" || key === type || component[key as typeof type] == null) continue;
    wrong = true;
    addProblem(walk, wrongComponentType(definition, key), [...path, key]);
  }
  if (!wrong && component[type] === undefined) addProblem(walk, noContent(definition), path);
}
