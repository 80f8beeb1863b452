import type { ComponentContent } from "../components/component.ts";
import type { ComponentType } from "../components/types.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { wrongPiece } from "./problems.ts";
import { add, addProblem, type Uses } from "./report.ts";
import { type Check, type CompiledContent, deeper, isOpen, type Walk } from "./walk.ts";

type Content<Type extends ComponentType> = NonNullable<ComponentContent[Type]>;

/** Checks content of the piece with this identifier, or of any piece if the identifier is unknown. */
export function pieceCheck(identifier: string | undefined): Check<Content<"piece">> {
  return (selected, walk, path) => {
    const inner = deeper(walk, path);
    if (inner === undefined) return undefined;
    if (identifier === undefined || isOpen(walk, selected.identifier)) return selected;
    const at = [...path, "identifier"];
    if (selected.identifier !== identifier) {
      addProblem(walk, wrongPiece(identifier, selected.identifier), at);
      return undefined;
    }
    const piece = walk.pieces(identifier);
    if (piece === undefined) {
      add(walk, "PieceNotFound", `There is no piece "${identifier}"`, at);
      return undefined;
    }
    return { identifier, components: piece.walk(selected.components, inner, [...path, "components"]) };
  };
}

/** Checks a list of chunks, each a list of contents; exactly one unless the chunk is repeatable. */
export function chunkCheck(inside: CompiledContent, repeatable: boolean): Check<Content<"contentChunk">> {
  return ({ chunks }, walk, path) => {
    const inner = deeper(walk, path);
    if (inner === undefined || chunks.length === 0) return undefined;
    const at = [...path, "chunks"];
    if (!repeatable && chunks.length > 1)
      add(walk, "NotRepeatable", `${chunks.length} chunks, but the chunk is not repeatable`, at);
    return {
      chunks: chunks.map((chunk, i) => inside.walk(chunk, inner, [...at, i])),
    };
  };
}

export function choiceCheck(choices: CompiledContent): Check<ComponentContent> {
  return (content, walk, path) => {
    const inner = deeper(walk, path);
    if (inner === undefined) return undefined;
    return chosen(choices, content, inner, path);
  };
}

/** Checks a list of contents of the choices; no choice twice, unless duplicates are allowed. */
export function multipleChoiceCheck(
  choices: CompiledContent,
  allowDuplicates: boolean,
): Check<readonly ComponentContent[]> {
  return (list, walk, path) => {
    const inner = deeper(walk, path);
    if (inner === undefined || list.length === 0) return undefined;
    const seen = new Set<string>();
    const stored = list.flatMap((choice, i) => {
      const { componentId } = choice;
      if (seen.has(componentId) && !allowDuplicates && !isOpen(walk, componentId))
        add(walk, "DuplicateChoice", `"${componentId}" is chosen twice, which the shape does not allow`, [
          ...path,
          i,
        ]);
      seen.add(componentId);
      return chosen(choices, choice, inner, [...path, i]) ?? [];
    });
    return stored.length === 0 ? undefined : stored;
  };
}

/** Checks one choice as a list of one, and removes that list from the paths. */
function chosen(
  choices: CompiledContent,
  choice: ComponentContent,
  inner: Walk,
  path: JsonPath,
): ComponentContent | undefined {
  const report: Walk = { ...inner, complete: false, errors: [], uses: { relations: [], files: [] } };
  const [stored] = choices.walk([choice], report, []);
  const pathOf = (at: JsonPath) => [...path, ...at.slice(1)];
  for (const { code, message, path: at } of report.errors) add(inner, code, message, pathOf(at));
  addUses(inner.uses, report.uses, pathOf);
  return stored;
}

/** Adds what a part of some content uses, with paths converted by `pathOf`. */
function addUses(to: Uses, from: Uses, pathOf: (path: JsonPath) => JsonPath): void {
  to.relations.push(...from.relations.map((use) => ({ ...use, path: pathOf(use.path) })));
  to.files.push(...from.files.map((use) => ({ ...use, path: pathOf(use.path) })));
}
