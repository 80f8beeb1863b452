import { slug } from "@lading/schema";
import { KeyTable, keyOf } from "../key-table.ts";
import type { Operation } from "../records.ts";

/** The segments that items may have got in their paths; where others have one, it ends with a number or an id. */
export class TakenSegments {
  readonly #segments = new KeyTable();

  /** Notes the names that operations of an item give it, or had given it. */
  add(itemId: string, operations: readonly Operation[]): void {
    for (const { name } of operations)
      if (typeof name === "string") this.#segments.set(keyOf(baseOf(slug(name) || itemId)), 0);
  }

  /** True for a path that an item may have got, or an item below it. */
  mayHave(path: string): boolean {
    return path.split("/").some((segment) => this.#segments.get(keyOf(baseOf(segment))) !== undefined);
  }
}

const baseOf = (segment: string) => segment.replace(/-(?:\d|[0-9a-f]{24})$/, "");
