import type { ComponentContent, ComponentDefinition, ImageInput, VideoInput, Written } from "@lading/schema";

/** The items, variants and media that content refers to. */
export interface ContentReferences {
  itemIds: string[];
  skus: string[];
  imageKeys: string[];
  videoKeys: string[];
  fileKeys: string[];
  gridIds: string[];
}

/** Collects the references of content, at any depth, each as often as it occurs. */
export function referencesInContent(components: readonly Content[]): ContentReferences {
  const found: ContentReferences = {
    itemIds: [],
    skus: [],
    imageKeys: [],
    videoKeys: [],
    fileKeys: [],
    gridIds: [],
  };
  collect(components, found);
  return found;
}

function collect(components: readonly Content[], found: ContentReferences): void {
  for (const component of components) {
    collectOwn(component, found);
    collect(component.piece?.components ?? [], found);
    for (const chunk of component.contentChunk?.chunks ?? []) collect(chunk as Content[], found);
    collect((component.componentMultipleChoice ?? []) as Content[], found);
    if (component.componentChoice) collect([component.componentChoice as Content], found);
  }
}

function collectOwn(component: Content, found: ContentReferences): void {
  found.itemIds.push(...(component.itemRelations?.itemIds ?? []));
  found.skus.push(...(component.itemRelations?.skus ?? []));
  found.gridIds.push(...(component.gridRelations?.gridIds ?? []));
  found.fileKeys.push(...(component.files ?? []).map(({ key }) => key));
  collectMedia(component, found);
  for (const paragraph of component.paragraphCollection?.paragraphs ?? []) collectMedia(paragraph, found);
}

/** Content as a payload has it, with or without templates, or as it is stored. */
type Content = Written<ComponentContent>;

interface Media {
  images?: readonly Written<ImageInput>[] | null;
  videos?: readonly Written<VideoInput>[] | null;
}

function collectMedia({ images, videos }: Media, found: ContentReferences): void {
  for (const { key, showcase } of images ?? []) {
    found.imageKeys.push(key);
    found.itemIds.push(...(showcase ?? []).flatMap(({ itemIds }) => itemIds ?? []));
    found.skus.push(...(showcase ?? []).flatMap(({ skus }) => skus ?? []));
  }
  for (const { key, thumbnails } of videos ?? []) {
    found.videoKeys.push(key);
    collectMedia({ images: thumbnails ?? [] }, found);
  }
}

/** The identifiers of the pieces that definitions use, at any depth, each once. */
export function piecesInDefinitions(definitions: readonly ComponentDefinition[]): string[] {
  const found = new Set<string>();
  const visit = (list: readonly ComponentDefinition[]) => {
    for (const { config } of list) {
      if (config?.piece) found.add(config.piece.identifier);
      visit(config?.contentChunk?.components ?? []);
      visit(config?.componentChoice?.choices ?? []);
      visit(config?.componentMultipleChoice?.choices ?? []);
    }
  };
  visit(definitions);
  return [...found];
}
