import type { ComponentContent, ComponentDefinition } from "@lading/schema";

/** What content refers to outside of itself. */
export interface ContentReferences {
  itemIds: string[];
  skus: string[];
  imageKeys: string[];
}

/** Collects what content refers to, wherever it is nested; each as often as it occurs. */
export function referencesInContent(components: readonly ComponentContent[]): ContentReferences {
  const found: ContentReferences = { itemIds: [], skus: [], imageKeys: [] };
  collect(components, found);
  return found;
}

function collect(components: readonly ComponentContent[], found: ContentReferences): void {
  for (const component of components) {
    found.itemIds.push(...(component.itemRelations?.itemIds ?? []));
    found.skus.push(...(component.itemRelations?.skus ?? []));
    found.imageKeys.push(...(component.images ?? []).map(({ key }) => key));
    for (const { images = [] } of component.paragraphCollection?.paragraphs ?? [])
      found.imageKeys.push(...images.map(({ key }) => key));
    collect(component.piece?.components ?? [], found);
    for (const chunk of component.contentChunk?.chunks ?? []) collect(chunk as ComponentContent[], found);
    collect((component.componentMultipleChoice ?? []) as ComponentContent[], found);
    if (component.componentChoice) collect([component.componentChoice as ComponentContent], found);
  }
}

/** The identifiers of the pieces that definitions use, wherever they are nested; each once. */
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
