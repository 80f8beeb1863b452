import type { JsonPath } from "@lading/schema";

type Container = Record<string | number, unknown>;

/** The lists whose entries are meaningless without their `key`. */
const keyedLists: readonly unknown[] = ["images", "videos", "thumbnails", "files"];

/**
 * Copies a payload without the texts at some paths. Where such a text is the `key` of an image, video or file, the
 * entry of the list is omitted with it.
 */
export function omitPaths<Value extends object>(payload: Value, paths: readonly JsonPath[]): Value {
  const copy = structuredClone(payload);
  const shortened = new Set<unknown[]>();
  for (const path of paths) {
    const place = placeOf(path);
    const holder = place.slice(0, -1).reduce<Container | undefined>(inside, copy as Container);
    if (holder === undefined) continue;
    const name = place.at(-1) as string | number;
    if (Array.isArray(holder)) {
      holder[name as number] = undefined;
      shortened.add(holder);
    } else delete holder[name];
  }
  // Only now, so that the paths stay right.
  for (const list of shortened) {
    const rest = list.filter((entry) => entry !== undefined);
    list.length = 0;
    for (const entry of rest) list.push(entry);
  }
  return copy;
}

function placeOf(path: JsonPath): JsonPath {
  const [list, index, name] = path.slice(-3);
  const isEntry = name === "key" && typeof index === "number" && keyedLists.includes(list);
  return isEntry ? path.slice(0, -1) : path;
}

/** Undefined where an entry was omitted already. */
const inside = (container: Container | undefined, name: string | number): Container | undefined =>
  container?.[name] as Container | undefined;
