import { type ComponentContent, type ComponentDefinition, componentTypes, nearest } from "@lading/schema";
import type { ErrorDetail } from "../../errors.ts";
import { type LeafCheck, type LeafType, leafChecks } from "./leaf-checks.ts";
import { ceilings } from "./limits.ts";
import { add, didYouMean, oneOf, type Path, type Report } from "./report.ts";

/** Finds the compiled content of a piece by its identifier; undefined when there is no such piece. */
export type PieceLookup = (identifier: string) => CompiledContent | undefined;

export interface ValidateOptions {
  /** True when this is all the content: required components must be there. False for a single component. */
  complete: boolean;
  pieces: PieceLookup;
  /** Where the list of components is in the payload. Default: `["components"]`. */
  path?: Path;
}

export interface ValidatedContent {
  /** What is to be stored: without the components whose content is null. */
  components: ComponentContent[];
  errors: ErrorDetail[];
}

/** The content rules of a shape's or piece's components. Holds no rows, so it can be kept as long as they are unchanged. */
export interface CompiledContent {
  /** Checks a list of component contents; an error says what is wrong, where, and what would be right. */
  validate(components: readonly ComponentContent[], options: ValidateOptions): ValidatedContent;
  /** As `validate`, inside the content of another component. */
  walk(components: readonly ComponentContent[], walk: Walk, path: Path): ComponentContent[];
}

interface Walk extends Report {
  readonly complete: boolean;
  readonly pieces: PieceLookup;
  readonly depth: number;
}

/** Checks one component's content and answers what is to be stored; undefined when it says nothing. */
type Check = (content: unknown, walk: Walk, path: Path) => unknown;

/** Compiles component definitions into content rules. The definitions have been validated before. */
export function compileContent(definitions: readonly ComponentDefinition[]): CompiledContent {
  const checks = new Map(
    definitions.map((definition) => [definition.id, { definition, check: compile(definition) }]),
  );
  const required = definitions.filter(({ type, config }) => config?.[type]?.required === true);
  const walkList = (components: readonly ComponentContent[], walk: Walk, path: Path): ComponentContent[] => {
    const stored = new Map<string, ComponentContent>();
    const seen = new Set<string>();
    for (const [i, component] of components.entries()) {
      const { componentId } = component;
      const known = checks.get(componentId);
      if (known === undefined)
        reportUnknown(componentId, [...checks.keys()], walk, [...path, i, "componentId"]);
      else if (seen.has(componentId))
        add(walk, "DuplicateComponent", `The component "${componentId}" is given twice`, [...path, i]);
      else {
        const content = checkTyped(component, known, walk, [...path, i]);
        if (content !== undefined) stored.set(componentId, content);
      }
      seen.add(componentId);
    }
    if (walk.complete) reportMissing(required, stored, seen, walk, path);
    return [...stored.values()];
  };
  return {
    walk: walkList,
    validate: (components, { path = ["components"], ...options }) => {
      const walk: Walk = { ...options, errors: [], depth: 0 };
      return { components: walkList(components, walk, path), errors: walk.errors };
    },
  };
}

function reportUnknown(componentId: string, known: string[], walk: Walk, path: Path): void {
  const near = nearest(componentId, known);
  const what =
    known.length === 0 ? " There are none here." : didYouMean(near) || ` There are ${oneOf(known)}.`;
  add(walk, "UnknownComponent", `There is no component "${componentId}" here.${what}`, path);
}

function reportMissing(
  required: readonly ComponentDefinition[],
  stored: ReadonlyMap<string, unknown>,
  seen: ReadonlySet<string>,
  walk: Walk,
  path: Path,
): void {
  for (const { id, type } of required)
    if (!stored.has(id)) {
      const how = seen.has(id) ? "has no content" : "is missing";
      add(walk, "RequiredComponentMissing", `The component "${id}" (${type}) is required and ${how}`, path);
    }
}

/** Checks that the content is of the component's type, then the content itself. */
function checkTyped(
  component: ComponentContent,
  { definition, check }: { definition: ComponentDefinition; check: Check },
  walk: Walk,
  path: Path,
): ComponentContent | undefined {
  const { id, type } = definition;
  const given = componentTypes.filter((name) => component[name] !== undefined);
  const wrong = given.filter((name) => name !== type);
  if (wrong.length > 0)
    add(
      walk,
      "WrongComponentType",
      `The component "${id}" is of the type ${type}, not ${wrong.join(" or ")}`,
      [...path, wrong[0] as string],
    );
  const content = component[type];
  if (content === undefined || content === null) return undefined;
  const checked = check(content, walk, [...path, type]);
  if (checked === undefined) return undefined;
  return (
    checked === content && wrong.length === 0 ? component : { componentId: id, [type]: checked }
  ) as ComponentContent;
}

function compile(definition: ComponentDefinition): Check {
  const { type, config } = definition;
  if (type === "piece") return pieceCheck(config?.piece?.identifier ?? "");
  if (type === "contentChunk")
    return chunkCheck(
      compileContent(config?.contentChunk?.components ?? []),
      config?.contentChunk?.repeatable === true,
    );
  if (type === "componentChoice") return choiceCheck(compileContent(config?.componentChoice?.choices ?? []));
  if (type === "componentMultipleChoice") {
    const { choices = [], allowDuplicates } = config?.componentMultipleChoice ?? {};
    return multipleChoiceCheck(compileContent(choices), allowDuplicates === true);
  }
  return leafCheck(leafChecks[type] as LeafCheck<LeafType>, config?.[type] ?? {});
}

function leafCheck({ isEmpty, check }: LeafCheck<LeafType>, config: object): Check {
  return (content, walk, path) => {
    if (isEmpty(content as never)) return undefined;
    check?.(content as never, config, path, walk);
    return content;
  };
}

/** One level deeper, or undefined with an error when that is too deep. What is nested is given whole. */
function deeper(walk: Walk, path: Path): Walk | undefined {
  if (walk.depth < ceilings.nesting) return { ...walk, complete: true, depth: walk.depth + 1 };
  add(walk, "NestingTooDeep", `Components are nested deeper than ${ceilings.nesting} levels`, path);
  return undefined;
}

function pieceCheck(identifier: string): Check {
  return (content, walk, path) => {
    const given = content as NonNullable<ComponentContent["piece"]>;
    const inner = deeper(walk, path);
    if (inner === undefined) return undefined;
    if (given.identifier !== identifier)
      add(walk, "WrongPiece", `The shape wants the piece "${identifier}" here, not "${given.identifier}"`, [
        ...path,
        "identifier",
      ]);
    const piece = walk.pieces(identifier);
    if (piece === undefined) {
      add(walk, "PieceNotFound", `There is no piece "${identifier}"`, [...path, "identifier"]);
      return undefined;
    }
    return { identifier, components: piece.walk(given.components, inner, [...path, "components"]) };
  };
}

function chunkCheck(inside: CompiledContent, repeatable: boolean): Check {
  return (content, walk, path) => {
    const { chunks } = content as NonNullable<ComponentContent["contentChunk"]>;
    const inner = deeper(walk, path);
    if (inner === undefined || chunks.length === 0) return undefined;
    if (!repeatable && chunks.length > 1)
      add(walk, "NotRepeatable", `${chunks.length} chunks, but the chunk is not repeatable`, [
        ...path,
        "chunks",
      ]);
    return {
      chunks: chunks.map((chunk, i) =>
        inside.walk(chunk as ComponentContent[], inner, [...path, "chunks", i]),
      ),
    };
  };
}

function choiceCheck(choices: CompiledContent): Check {
  return (content, walk, path) => {
    const inner = deeper(walk, path);
    if (inner === undefined) return undefined;
    return chosen(choices, content as ComponentContent, { ...inner, complete: false }, path);
  };
}

function multipleChoiceCheck(choices: CompiledContent, allowDuplicates: boolean): Check {
  return (content, walk, path) => {
    const list = content as readonly ComponentContent[];
    const inner = deeper(walk, path);
    if (inner === undefined || list.length === 0) return undefined;
    const ids = list.map(({ componentId }) => componentId);
    for (const [i, id] of ids.entries())
      if (!allowDuplicates && ids.indexOf(id) < i)
        add(walk, "DuplicateChoice", `"${id}" is chosen twice, which the shape does not allow`, [...path, i]);
    return list.flatMap(
      (choice, i) => chosen(choices, choice, { ...inner, complete: false }, [...path, i]) ?? [],
    );
  };
}

/** Checks one choice; the list that it is walked as has no place of its own in the path. */
function chosen(
  choices: CompiledContent,
  choice: ComponentContent,
  walk: Walk,
  path: Path,
): ComponentContent | undefined {
  const report: Walk = { ...walk, errors: [] };
  const [stored] = choices.walk([choice], report, []);
  for (const error of report.errors) add(walk, error.code, error.message, [...path, ...error.path.slice(1)]);
  return stored;
}
