import {
  type ComponentContent,
  type ComponentDefinition,
  type ImageInput,
  isObject,
  type JsonPath,
  type VideoInput,
  type Written,
} from "@lading/schema/internal";

export interface ContentReferences {
  itemIds: string[];
  skus: string[];
  imageKeys: string[];
  videoKeys: string[];
  fileKeys: string[];
  gridIds: string[];
}

/** Collects the references in content, at any depth, with repetitions. */
export function referencesInContent(components: readonly Content[]): ContentReferences {
  const references: ContentReferences = {
    itemIds: [],
    skus: [],
    imageKeys: [],
    videoKeys: [],
    fileKeys: [],
    gridIds: [],
  };
  collect(components, references);
  return references;
}

function collect(components: readonly Content[], references: ContentReferences): void {
  for (const component of components) {
    collectOwn(component, references);
    collect(component.piece?.components ?? [], references);
    for (const chunk of component.contentChunk?.chunks ?? []) collect(chunk, references);
    collect(component.componentMultipleChoice ?? [], references);
    if (component.componentChoice) collect([component.componentChoice], references);
  }
}

function collectOwn(component: Content, references: ContentReferences): void {
  references.itemIds.push(...(component.itemRelations?.itemIds ?? []));
  references.skus.push(...(component.itemRelations?.skus ?? []));
  references.gridIds.push(...(component.gridRelations?.gridIds ?? []));
  references.fileKeys.push(...(component.files ?? []).map(({ key }) => key));
  collectMedia(component, references);
  for (const paragraph of component.paragraphCollection?.paragraphs ?? [])
    collectMedia(paragraph, references);
}

/** Content of a payload, with or without templates, or as stored. */
type Content = Written<ComponentContent>;

interface Media {
  images?: readonly Written<ImageInput>[] | null;
  videos?: readonly Written<VideoInput>[] | null;
}

function collectMedia({ images, videos }: Media, references: ContentReferences): void {
  for (const { key, showcase } of images ?? []) {
    references.imageKeys.push(key);
    references.itemIds.push(...(showcase ?? []).flatMap(({ itemIds }) => itemIds ?? []));
    references.skus.push(...(showcase ?? []).flatMap(({ skus }) => skus ?? []));
  }
  for (const { key, thumbnails } of videos ?? []) {
    references.videoKeys.push(key);
    collectMedia({ images: thumbnails ?? [] }, references);
  }
}

/**
 * Finds each use of a piece in definitions, at any depth, with its settings in `config` or still directly in the
 * component.
 */
export function* pieceUses(
  value: unknown,
  path: JsonPath = [],
): Generator<{ identifier: string; path: JsonPath }> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const identifier = key === "piece" && isObject(member) ? member.identifier : undefined;
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    if (typeof identifier === "string") yield { identifier, path: [...at, "identifier"] };
    else yield* pieceUses(member, at);
  }
}

/** The distinct identifiers of the pieces used in definitions, at any depth. */
export const piecesInDefinitions = (definitions: readonly ComponentDefinition[]): string[] => [
  ...new Set(pieceUses(definitions).map(({ identifier }) => identifier)),
];
