import { type ComponentContent, type ComponentDefinition, type PieceLookup, same } from "@lading/schema";
import type { ComponentList } from "../../content/compiled-content.ts";
import { withShared } from "../../content-rules/shared.ts";

type Contents = readonly ComponentContent[];

/** Makes the contents of an item or a variant in several languages agree in what these share. */
export type Agree = (list: ComponentList, contents: readonly Contents[]) => readonly Contents[];

/** Copies shared content into all contents from the first that has any; `onDiffering` is called for each component. */
export const agreeing = (
  contents: readonly Contents[],
  shared: readonly ComponentDefinition[],
  pieces: PieceLookup,
  onDiffering: (componentId: string) => void,
): readonly Contents[] =>
  shared.reduce((all, definition) => {
    const copy = (target: Contents, source: Contents) => withShared(target, source, [definition], pieces);
    const first = all.find((content) => copy([], content).length > 0) ?? [];
    const next = all.map((content) => copy(content, first));
    if (same(next, all)) return all;
    onDiffering(definition.id);
    return next;
  }, contents);
