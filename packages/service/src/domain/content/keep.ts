import { type ComponentContent, type JsonPath, keyOf, type ValidatedContent } from "@lading/schema/internal";
import { rejectAll } from "../../errors.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { FailedUploads } from "../payload/failed-uploads.ts";
import { type ContentOptions, checkContent, requireContent } from "./check.ts";
import { type ComponentList, readableContent } from "./compiled-content.ts";

/** The stored content an update replaces, and the failed uploads of its content. */
export interface Replaced {
  stored: readonly ComponentContent[];
  uploads: FailedUploads | undefined;
  fieldPathOf?: (index: number) => JsonPath;
}

/**
 * Checks content that replaces stored content, like `checkContent`. A component with a failed upload keeps its stored
 * content as a whole, unchecked. If none is stored, the content is taken without the upload.
 */
export async function checkReplacing(
  unit: UnitOfWork,
  shape: ShapeRow,
  list: ComponentList,
  components: readonly ComponentContent[],
  { stored, uploads, fieldPathOf, ...options }: ContentOptions & Replaced,
): Promise<ValidatedContent> {
  if (uploads === undefined) return checkContent(unit, shape, list, components, options);
  const fieldPath = fieldPathOf ?? ((index) => [...options.path, index]);
  const readable = await readableContent(unit, shape, list, stored);
  const kept = keptOf(shape[list], components, readable, (index) => uploads.within(fieldPath(index)));
  const others = [...components.keys()].filter((i) => !kept.has(i));
  const rest = components.filter((_, i) => !kept.has(i));
  const checked = await checkContent(unit, shape, list, rest, options);
  for (const [i, { type }] of kept) uploads.keep([...fieldPath(i), type]);
  return {
    ...checked,
    components: inOrder(shape[list], components, checked.components, kept),
    errors: checked.errors.map((error) => ({ ...error, path: shifted(error.path, options.path, others) })),
  };
}

/** Checks content that replaces stored content, like `requireContent`. */
export function requireReplacing(...check: Parameters<typeof checkReplacing>): Promise<ComponentContent[]> {
  const [, , , , { uploads }] = check;
  return uploads === undefined ? requireContent(...check) : requireOrKeep(...check);
}

async function requireOrKeep(...check: Parameters<typeof checkReplacing>): Promise<ComponentContent[]> {
  const { components, errors } = await checkReplacing(...check);
  if (errors.length > 0) rejectAll("ComponentContentValidationFailedError", errors);
  return components;
}

interface Kept {
  type: keyof ComponentContent;
  content: ComponentContent;
}

/** The components of a payload whose stored content is kept, by index. */
function keptOf(
  definitions: ShapeRow[ComponentList],
  components: readonly ComponentContent[],
  stored: readonly ComponentContent[],
  failed: (index: number) => boolean,
): Map<number, Kept> {
  const kept = new Map<number, Kept>();
  for (const [i, { componentId }] of components.entries()) {
    // A repeated component is left to the check, which rejects it.
    if (!failed(i) || components.filter((other) => other.componentId === componentId).length > 1) continue;
    const type = definitions.find(({ id }) => id === componentId)?.type;
    const key = keyIn(definitions, componentId);
    const content = stored.find((other) => other.componentId === key);
    if (type !== undefined && content?.[type] != null) kept.set(i, { type, content });
  }
  return kept;
}

/** The name under which content of the component with an id is stored. */
export function keyIn(definitions: ShapeRow[ComponentList], componentId: string): string | undefined {
  const definition = definitions.find(({ id }) => id === componentId);
  return definition && keyOf(definition);
}

function inOrder(
  definitions: ShapeRow[ComponentList],
  components: readonly ComponentContent[],
  checked: readonly ComponentContent[],
  kept: ReadonlyMap<number, Kept>,
): ComponentContent[] {
  return components.flatMap(({ componentId }, i) => {
    const key = keyIn(definitions, componentId);
    const content = kept.get(i)?.content ?? checked.find((other) => other.componentId === key);
    return content === undefined ? [] : [content];
  });
}

/** Converts an error's path in the list of checked components to its path in the whole list. */
function shifted(path: JsonPath, base: JsonPath, others: readonly number[]): JsonPath {
  const index = path[base.length];
  return typeof index === "number" ? path.with(base.length, others[index] ?? index) : [...path];
}
