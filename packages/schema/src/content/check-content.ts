import type { ComponentContent, NestableContent } from "../components/component.ts";
import { componentTypes } from "../components/types.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { hasTemplate } from "../templates/is-template.ts";
import * as problems from "./problems.ts";
import type { ContentRule, ContentRules } from "./rules.ts";

type Components = readonly (ComponentContent | NestableContent)[];

/** The pieces that content may hold, and a receiver of its problems. */
export interface ContentCheck {
  /** The rules of a piece, where they are known. */
  pieces(identifier: string): ContentRules | undefined;
  report(problem: problems.ContentProblem, path: JsonPath): void;
  /** True when no more problems are accepted; the check then stops. */
  isFull(): boolean;
  /** True if a problem may still come with advice, which is costly to find. Called once for each problem. */
  advises(): boolean;
}

/**
 * Checks a list of component contents against its rules: the ids and types of its components and, if `complete`, that
 * the required ones are there. Values are not checked, nor anything that depends on a template.
 *
 * @param components valid, with their templates not rendered
 */
export function checkComponents(
  rules: ContentRules,
  components: Components,
  complete: boolean,
  path: JsonPath,
  check: ContentCheck,
): void {
  for (let index = 0; index < components.length && !check.isFull(); index++)
    checkComponent(rules, components[index]!, path, check, index);
  if (!complete || check.isFull()) return;
  for (const rule of missingIn(rules, components)) check.report(problems.requiredMissing(rule), path);
}

/** Like `checkComponents`, for one component: at an index of the list at the path, or else at the path itself. */
export function checkComponent(
  { byId }: ContentRules,
  component: ComponentContent | NestableContent,
  path: JsonPath,
  check: ContentCheck,
  index?: number,
): void {
  const { componentId } = component;
  const rule = byId.get(componentId);
  // Paths are made only where they are needed: nearly all content fits.
  const at = () => (index === undefined ? path : [...path, index]);
  if (rule !== undefined) checkContent(rule, component, at, check);
  else if (!hasTemplate(componentId))
    check.report(problems.unknownComponent(componentId, check.advises() ? byId : undefined), [
      ...at(),
      "componentId",
    ]);
}

/** The required components that a list lacks; none if a template names one of its components. */
export function missingIn({ required }: ContentRules, components: Components): readonly ContentRule[] {
  if (required.length === 0) return required;
  if (components.some(({ componentId }) => hasTemplate(componentId))) return [];
  const present = new Set(components.map(({ componentId }) => componentId));
  return required.filter(({ id }) => !present.has(id));
}

function checkContent(
  rule: ContentRule,
  component: ComponentContent,
  at: () => JsonPath,
  check: ContentCheck,
): void {
  const { type } = rule;
  const content = component[type];
  let [wrong, unknown] = [false, false];
  for (const key in component) {
    if (key === "componentId" || key === type) continue;
    if (!isType(key)) unknown = true;
    else if (component[key as typeof type] !== null) {
      wrong = true;
      check.report(problems.wrongComponentType(rule, key), [...at(), key]);
    }
  }
  if (wrong) return;
  // An unknown field has a warning of its own, and may be a misspelt type.
  if (content === undefined && !unknown) check.report(problems.noContent(rule), at());
  if (content === null && rule.required) check.report(problems.requiredEmpty(rule), at());
  if (content && (rule.inside || rule.piece)) checkInside(rule, component, [...at(), type], check);
}

function checkInside(
  rule: ContentRule,
  component: ComponentContent,
  path: JsonPath,
  check: ContentCheck,
): void {
  const { contentChunk, componentChoice, componentMultipleChoice } = component;
  const { inside } = rule;
  if (rule.type === "piece") checkPiece(rule, component.piece, path, check);
  if (inside === undefined) return;
  for (const [index, chunk] of (contentChunk?.chunks ?? []).entries()) {
    if (check.isFull()) return;
    checkComponents(inside, chunk, true, [...path, "chunks", index], check);
  }
  if (componentChoice) checkComponent(inside, componentChoice, path, check);
  for (const [index, choice] of (componentMultipleChoice ?? []).entries())
    checkComponent(inside, choice, [...path, index], check);
}

function checkPiece(
  { piece }: ContentRule,
  content: ComponentContent["piece"],
  path: JsonPath,
  check: ContentCheck,
): void {
  if (!content || piece === undefined || hasTemplate(piece) || hasTemplate(content.identifier)) return;
  const rules = check.pieces(piece);
  if (content.identifier !== piece)
    check.report(problems.wrongPiece(piece, content.identifier), [...path, "identifier"]);
  else if (rules) checkComponents(rules, content.components, true, [...path, "components"], check);
}

const types: ReadonlySet<string> = new Set(componentTypes);
const isType = (key: string) => types.has(key);
