import {
  type ComponentContent,
  type ComponentDefinition,
  type PieceLookup,
  same,
} from "@lading/schema/internal";
import type { ComponentList } from "../../content/compiled-content.ts";
import { withShared } from "../../content-rules/shared.ts";

type Contents = readonly ComponentContent[];

/** Makes an item's or variant's contents in several languages agree in shared content. */
export type Agree = (list: ComponentList, contents: readonly Contents[]) => readonly Contents[];

/** Copies shared content from the first language that has any to all; calls `onDiffering` per differing component. */
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
