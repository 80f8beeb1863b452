import {
  type ComponentContent,
  type ComponentDefinition,
  isShared,
  keyOf,
  type PieceLookup,
  same,
} from "@lading/schema/internal";

type Contents = readonly ComponentContent[];
type Definitions = readonly ComponentDefinition[];

/** True if languages share content of the definitions or their nested pieces. A piece may contain itself. */
export function sharesContent(
  definitions: Definitions,
  pieces: PieceLookup,
  seen = new Set<Definitions>(),
): boolean {
  if (seen.has(definitions)) return false;
  seen.add(definitions);
  return definitions.some(
    (definition) => isShared(definition) || sharesContent(insidePiece(definition, pieces), pieces, seen),
  );
}

/** The definitions inside a piece; none for other types, whose content is shared as a whole or not at all. */
const insidePiece = ({ type, config }: ComponentDefinition, pieces: PieceLookup): Definitions =>
  (type === "piece" && pieces(config?.piece?.identifier ?? "")?.definitions) || [];

/** Copies shared content from another language into one language; components the other lacks are removed. */
export const withShared = (
  target: Contents,
  source: Contents,
  definitions: Definitions,
  pieces: PieceLookup,
): ComponentContent[] =>
  definitions.reduce<ComponentContent[]>(
    (contents, definition) => {
      const [own, other] = [find(contents, definition), find(source, definition)];
      return put(contents, definition, sharedPart(definition, own, other, pieces));
    },
    [...target],
  );

/**
 * Copies shared content from another language into an added language, for components missing in its payload, `written`,
 * which names them by their ids.
 * A null component is not missing: it clears the content.
 */
export const withUnmentioned = (
  target: Contents,
  written: Contents,
  source: Contents,
  definitions: Definitions,
  pieces: PieceLookup,
): ComponentContent[] =>
  definitions.reduce<ComponentContent[]>(
    (contents, definition) => {
      const [own, other] = [find(contents, definition), find(source, definition)];
      const mentioned = written.find(({ componentId }) => componentId === definition.id);
      if (mentioned === undefined)
        return put(contents, definition, sharedPart(definition, own, other, pieces));
      if (isShared(definition) || !own?.piece || !mentioned.piece || !other?.piece) return contents;
      const inside = [own, mentioned, other].map(({ piece }) => piece?.components ?? []);
      const [ownInside = [], mentionedInside = [], otherInside = []] = inside;
      const definitionsInside = insidePiece(definition, pieces);
      const components = withUnmentioned(ownInside, mentionedInside, otherInside, definitionsInside, pieces);
      return put(contents, definition, { ...own, piece: { ...own.piece, components } });
    },
    [...target],
  );

/** True if the shared content of two languages is equal. */
export const sharesAlready = (
  one: Contents,
  other: Contents,
  definitions: Definitions,
  pieces: PieceLookup,
): boolean => same(withShared(one, other, definitions, pieces), one);

const isOf =
  (definition: ComponentDefinition) =>
  ({ componentId }: ComponentContent): boolean =>
    componentId === keyOf(definition);

const find = (contents: Contents, definition: ComponentDefinition): ComponentContent | undefined =>
  contents.find(isOf(definition));

function put(
  contents: ComponentContent[],
  definition: ComponentDefinition,
  content: ComponentContent | undefined,
): ComponentContent[] {
  const index = contents.findIndex(isOf(definition));
  if (content === undefined) return index === -1 ? contents : contents.toSpliced(index, 1);
  return index === -1 ? [...contents, content] : contents.with(index, content);
}

/** One component's content with its shared part copied from another language; undefined when there is none. */
function sharedPart(
  definition: ComponentDefinition,
  own: ComponentContent | undefined,
  other: ComponentContent | undefined,
  pieces: PieceLookup,
): ComponentContent | undefined {
  if (isShared(definition)) return other;
  const inside = insidePiece(definition, pieces);
  const identifier = definition.config?.piece?.identifier;
  const isHeld = own?.piece || other?.piece;
  if (identifier === undefined || !isHeld || !sharesContent(inside, pieces)) return own;
  const held = (content: ComponentContent | undefined) =>
    content?.piece?.identifier === identifier ? content.piece.components : undefined;
  const components = withShared(held(own) ?? [], held(other) ?? [], inside, pieces);
  const emptied = components.length === 0 && held(own)?.length !== 0;
  return emptied ? undefined : { componentId: keyOf(definition), piece: { identifier, components } };
}
