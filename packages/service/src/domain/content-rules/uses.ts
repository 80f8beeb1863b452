import type { JsonPath } from "@lading/schema";

/** The items and files that content uses, and that only the database or the object store can check. */
export interface Uses {
  /** Relations that accept items of some shapes only. */
  readonly relations: RelationUse[];
  /** Files of a limited size. */
  readonly files: FileUse[];
}

export interface RelationUse {
  itemIds: readonly string[];
  skus: readonly string[];
  accepted: readonly string[];
  /** The place of the relation in the payload. */
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

/** Adds the uses of a part of some content, with their paths converted by `place`. */
export function addUses(to: Uses, from: Uses, place: (path: JsonPath) => JsonPath): void {
  to.relations.push(...from.relations.map((use) => ({ ...use, path: place(use.path) })));
  to.files.push(...from.files.map((use) => ({ ...use, path: place(use.path) })));
}
