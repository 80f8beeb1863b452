import type { JsonPath } from "@lading/schema";
import { isContainer, valueAt } from "../../tasks/rendered.ts";

/** Lists whose entries are meaningless without their `key`. */
const keyedLists: readonly unknown[] = ["images", "videos", "thumbnails", "files"];

/**
 * Copies a payload without the texts at some paths. If such a text is the `key` of an image, video or file, omits the
 * list's entry with it.
 */
export function omitPaths<Value extends object>(payload: Value, paths: readonly JsonPath[]): Value {
  const copy = structuredClone(payload);
  const shortened = new Set<unknown[]>();
  for (const path of paths.map(omittedPath)) {
    const key = path.at(-1);
    // Undefined if an entry was already omitted.
    const container = valueAt(copy, path.slice(0, -1));
    if (Array.isArray(container) && typeof key === "number") {
      container[key] = undefined;
      shortened.add(container);
    } else if (isContainer(container) && key !== undefined) delete container[key];
  }
  // Only now, so that the paths stay valid.
  for (const list of shortened) {
    const rest = list.filter((entry) => entry !== undefined);
    list.length = 0;
    for (const entry of rest) list.push(entry);
  }
  return copy;
}

/** The path of the list's entry if its `key` is omitted. */
function omittedPath(path: JsonPath): JsonPath {
  const [list, index, name] = path.slice(-3);
  const isEntry = name === "key" && typeof index === "number" && keyedLists.includes(list);
  return isEntry ? path.slice(0, -1) : path;
}
