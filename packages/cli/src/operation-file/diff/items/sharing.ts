import type { Operation } from "../indexed-dump.ts";
import type { Content } from "./state.ts";

interface Definition {
  readonly id: string;
  readonly type: string;
  readonly config?: Readonly<
    Record<string, { readonly multilingual?: unknown; readonly identifier?: string }>
  >;
}

/** The components of a list that languages share, by their ids. */
export interface Sharing {
  /** Those that all languages have in common. */
  readonly whole: ReadonlySet<string>;
  /** Pieces of which they have something in common. */
  readonly partly: ReadonlySet<string>;
}

/** The sharing of both lists of components of each shape. */
export type SharingOf = (shape: string, list: "components" | "variantComponents") => Sharing;

/** Reads from a content model what languages share. */
export function sharingIn(contentModel: ReadonlyMap<string, Operation>): SharingOf {
  const cache = new Map<string, Sharing>();
  const definitions = (intent: string, identifier: string, list: string) =>
    (contentModel.get(`${intent} ${identifier}`)?.[list] ?? []) as Definition[];
  const shares = (components: readonly Definition[], seen: ReadonlySet<string>): boolean =>
    components.some((definition) => isShared(definition) || sharesInside(definition, seen));
  const sharesInside = ({ type, config }: Definition, seen: ReadonlySet<string>): boolean => {
    const piece = type === "piece" ? config?.piece?.identifier : undefined;
    if (piece === undefined || seen.has(piece)) return false;
    return shares(definitions("piece/upsert", piece, "components"), new Set([...seen, piece]));
  };
  return (shape, list) => {
    const key = `${list} ${shape}`;
    const components = cache.has(key) ? [] : definitions("shape/upsert", shape, list);
    const sharing = cache.get(key) ?? {
      whole: new Set(components.filter(isShared).map(({ id }) => id)),
      partly: new Set(
        components.filter((each) => !isShared(each) && sharesInside(each, new Set())).map(({ id }) => id),
      ),
    };
    cache.set(key, sharing);
    return sharing;
  };
}

const isShared = ({ type, config }: Definition) => config?.[type]?.multilingual === false;

/** Copies what languages share from the content of one to that of another. */
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

/** True if a change may have reached other languages in a way that is not known here. */
export const mayReachOthers = (
  before: readonly Content[],
  after: readonly Content[],
  { partly }: Sharing,
): boolean =>
  partly.size > 0 && JSON.stringify(ofPieces(before, partly)) !== JSON.stringify(ofPieces(after, partly));

const ofPieces = (contents: readonly Content[], partly: ReadonlySet<string>) =>
  contents.filter(({ componentId }) => partly.has(componentId));
