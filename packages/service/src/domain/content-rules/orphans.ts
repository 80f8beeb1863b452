import type { ComponentContent, ComponentDefinition, NestableContent, PieceLookup } from "@lading/schema";

type Content = ComponentContent | NestableContent;
type Definitions = readonly ComponentDefinition[];

/**
 * The definition of stored content. Undefined for orphaned content: its component was removed, has another type or uses
 * another piece. A choice without a valid selection is orphaned, too.
 */
export function definitionOfContent(
  content: Content,
  definitions: Definitions,
): ComponentDefinition | undefined {
  const whole: ComponentContent = content;
  const { componentId, piece, componentChoice, componentMultipleChoice } = whole;
  const definition = definitions.find(({ id }) => id === componentId);
  if (definition === undefined) return undefined;
  const { type, config = {} } = definition;
  const value = whole[type];
  if (value === undefined || value === null) return undefined;
  if (type === "piece" && piece?.identifier !== config.piece?.identifier) return undefined;
  const choices = (config.componentChoice ?? config.componentMultipleChoice)?.choices ?? [];
  if (componentChoice && !definitionOfContent(componentChoice, choices)) return undefined;
  if (componentMultipleChoice && !componentMultipleChoice.some((each) => definitionOfContent(each, choices)))
    return undefined;
  return definition;
}

/** Removes orphaned content, at every level, from stored content; calls `onOrphan` for each. */
export function withoutOrphans<Stored extends Content>(
  contents: readonly Stored[],
  definitions: Definitions,
  pieces: PieceLookup,
  onOrphan?: () => void,
): Stored[] {
  return contents.flatMap((content) => {
    const definition = definitionOfContent(content, definitions);
    if (definition !== undefined) return [{ ...content, ...insideOf(content, definition, pieces, onOrphan) }];
    onOrphan?.();
    return [];
  });
}

/** The content of a structural component without orphaned content inside; an empty object for other types. */
function insideOf(
  { piece, contentChunk, componentChoice, componentMultipleChoice }: ComponentContent,
  { config = {} }: ComponentDefinition,
  pieces: PieceLookup,
  onOrphan?: () => void,
): Partial<ComponentContent> {
  const inside = <Inner extends Content>(contents: readonly Inner[], definitions: Definitions = []) =>
    withoutOrphans(contents, definitions, pieces, onOrphan);
  if (piece) {
    const definitions = pieces(piece.identifier)?.definitions;
    return { piece: { ...piece, components: inside(piece.components, definitions) } };
  }
  if (contentChunk) {
    const { chunks } = contentChunk;
    return {
      contentChunk: { chunks: chunks.map((chunk) => inside(chunk, config.contentChunk?.components)) },
    };
  }
  if (componentChoice)
    return { componentChoice: inside([componentChoice], config.componentChoice?.choices)[0] };
  if (!componentMultipleChoice) return {};
  const choices = config.componentMultipleChoice?.choices;
  return { componentMultipleChoice: inside(componentMultipleChoice, choices) };
}
