import type { JsonPath } from "@lading/schema";

/** What content uses that only the database or the media store can tell whether it fits. */
export interface Uses {
  /** Relations that may lead to items of some shapes only. */
  readonly relations: RelationUse[];
  /** Files of a limited size. */
  readonly files: FileUse[];
}

export interface RelationUse {
  itemIds: readonly string[];
  skus: readonly string[];
  accepted: readonly string[];
  /** Where the relation is in the payload. */
  path: JsonPath;
}

export interface FileUse {
  keys: readonly string[];
  /** The largest size, in bytes and as the shape has it. */
  maxBytes: number;
  maxText: string;
  path: JsonPath;
}

export const noUses = (): Uses => ({ relations: [], files: [] });

/** Takes over what a part of some content uses, with its paths as `place` makes them. */
export function addUses(to: Uses, from: Uses, place: (path: JsonPath) => JsonPath): void {
  to.relations.push(...from.relations.map((use) => ({ ...use, path: place(use.path) })));
  to.files.push(...from.files.map((use) => ({ ...use, path: place(use.path) })));
}
