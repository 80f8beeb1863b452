import type { WrittenDefinition } from "../../components/component.ts";
import { type ContentRules, contentRules } from "../../content/rules.ts";
import { fileLimits } from "../read/limits.ts";

export type ComponentList = "components" | "variantComponents";

/** A shape or piece as the file has defined it so far. A list that is not fully known is absent. */
export type ModelPart = { readonly [L in ComponentList]?: ContentRules | undefined };

/** The shapes and pieces that a file has defined so far, by identifier. Their memory is bounded. */
export interface ContentModel {
  readonly shape: Map<string, ModelPart>;
  readonly piece: Map<string, ModelPart>;
  /** The memory that they take together, in bytes: an estimate. */
  size: number;
}

export const contentModel = (): ContentModel => ({ shape: new Map(), piece: new Map(), size: 0 });

/** A valid operation on a shape or piece. */
export type DefinitionPayload = {
  readonly identifier: string;
} & { readonly [L in ComponentList]?: readonly WrittenDefinition[] | null };

/** Forgets all shapes or all pieces: any of them may have changed. */
export function forgetAll(model: ContentModel, kind: "shape" | "piece"): void {
  for (const part of model[kind].values()) model.size -= sizeOf(part);
  model[kind].clear();
}

/** Forgets a shape or piece: it is gone, or was never there. */
export function forget(model: ContentModel, kind: "shape" | "piece", identifier: string): void {
  const part = model[kind].get(identifier);
  if (part !== undefined) model.size -= sizeOf(part);
  model[kind].delete(identifier);
}

/**
 * Records how an operation defines a shape or piece: a list replaces the former one, null clears it, and a list that is
 * left out stays as it was. It is known then only if the file has defined it before, or if the operation creates.
 */
export function define(
  model: ContentModel,
  kind: "shape" | "piece",
  creates: boolean,
  definition: DefinitionPayload,
): void {
  const { identifier } = definition;
  const parts = model[kind];
  const before = parts.get(identifier);
  // A second creation will fail.
  if (creates && before !== undefined) return;
  const start = creates ? nothing : before;
  const next = {
    components: listOf(definition.components, start?.components),
    variantComponents: listOf(definition.variantComponents, start?.variantComponents),
  };
  if (before !== undefined) model.size -= sizeOf(before);
  parts.delete(identifier);
  const size = sizeOf(next);
  if (model.size + size > fileLimits.contentModel) return;
  model.size += size;
  parts.set(identifier, next);
}

const empty = contentRules([]);
const nothing: ModelPart = { components: empty, variantComponents: empty };

const listOf = (
  list: readonly WrittenDefinition[] | null | undefined,
  before: ContentRules | undefined,
): ContentRules | undefined => (list === undefined ? before : contentRules(list ?? []));

/** Estimated bytes beside the rules: the identifier of at most 64 characters, and the entry of the map. */
const partSize = 400;

const sizeOf = ({ components, variantComponents }: ModelPart): number =>
  partSize + (components?.size ?? 0) + (variantComponents?.size ?? 0);
