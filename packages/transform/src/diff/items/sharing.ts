import type { Operation } from "../indexed-dump.ts";
import type { Content } from "./state.ts";

interface Definition {
  readonly id: string;
  readonly type: string;
  readonly config?: Readonly<
    Record<string, { readonly multilingual?: unknown; readonly identifier?: string }>
  >;
}

/** The components of a list whose content languages share, by id. */
export interface Sharing {
  /** Components shared as a whole. */
  readonly whole: ReadonlySet<string>;
  /** Pieces shared in part. */
  readonly partly: ReadonlySet<string>;
}

/** The shared components of a shape's items. */
export interface ShapeSharing {
  readonly components: Sharing;
  readonly variantComponents: Sharing;
}

/** Returns a function that finds the shared components of a shape, by a content model. */
export function sharingIn(contentModel: ReadonlyMap<string, Operation>): (shape: string) => ShapeSharing {
  const cache = new Map<string, ShapeSharing>();
  const definitions = (intent: string, identifier: string, list: string) =>
    (contentModel.get(`${intent} ${identifier}`)?.[list] ?? []) as Definition[];
  const sharesInside = ({ type, config }: Definition, seen: readonly string[]): boolean => {
    const piece = type === "piece" ? config?.piece?.identifier : undefined;
    if (piece === undefined || seen.includes(piece)) return false;
    const components = definitions("piece/upsert", piece, "components");
    return components.some((each) => isShared(each) || sharesInside(each, [...seen, piece]));
  };
  const sharingOf = (shape: string, list: keyof ShapeSharing): Sharing => {
    const all = definitions("shape/upsert", shape, list);
    const partly = all.filter((each) => !isShared(each) && sharesInside(each, []));
    return { whole: idsOf(all.filter(isShared)), partly: idsOf(partly) };
  };
  return (shape) => {
    const sharing = cache.get(shape) ?? {
      components: sharingOf(shape, "components"),
      variantComponents: sharingOf(shape, "variantComponents"),
    };
    cache.set(shape, sharing);
    return sharing;
  };
}

const idsOf = (definitions: readonly Definition[]) => new Set(definitions.map(({ id }) => id));

const isShared = ({ type, config }: Definition) => config?.[type]?.multilingual === false;

/** Copies shared content from one language into another's content. */
export function shareInto(
  target: readonly Content[],
  source: readonly Content[],
  { whole }: Sharing,
): Content[] {
  if (whole.size === 0) return [...target];
  const own = target.filter(({ componentId }) => !whole.has(componentId));
  const shared = source.filter(({ componentId }) => whole.has(componentId));
  return [...own, ...shared].sort((a, b) => (a.componentId < b.componentId ? -1 : 1));
}

/** True if a change may have affected other languages in an unknown way. */
export const mayReachOthers = (
  before: readonly Content[],
  after: readonly Content[],
  { partly }: Sharing,
): boolean =>
  partly.size > 0 && JSON.stringify(ofPieces(before, partly)) !== JSON.stringify(ofPieces(after, partly));

const ofPieces = (contents: readonly Content[], partly: ReadonlySet<string>) =>
  contents.filter(({ componentId }) => partly.has(componentId));
