type Path = readonly (string | number)[];
type Container = Record<string | number, unknown>;

/**
 * A copy of a payload without the texts at some paths. An entry of a list that is named by such a text, its `key`, goes
 * with it: without its key an image is none.
 */
export function leaveOut<Value extends object>(payload: Value, paths: readonly Path[]): Value {
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
  for (const list of shortened) list.splice(0, list.length, ...list.filter((entry) => entry !== undefined));
  return copy;
}

const placeOf = (path: Path): Path =>
  path.at(-1) === "key" && typeof path.at(-2) === "number" ? path.slice(0, -1) : path;

/** Undefined where an entry was left out already. */
const inside = (container: Container | undefined, name: string | number): Container | undefined =>
  container?.[name] as Container | undefined;
