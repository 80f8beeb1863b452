import { useRef, useState } from "react";
import { type Recognized, recognize } from "./recognize.ts";
import type { Chosen } from "./use-conversion.ts";

const nothing: Chosen = { lookups: {} };

/** The table on the page, and what it takes to convert it; undefined while there is none. */
export function useTable() {
  const [chosen, setChosen] = useState<Chosen>();
  const [error, setError] = useState<unknown>();
  const latest = useRef<readonly File[]>(undefined);
  const choose = (change: Partial<Chosen>) => setChosen((now = nothing) => ({ ...now, ...change }));
  /** Takes tables and maps. `onOperations` is called with a file that is neither. */
  const take = async (files: readonly File[], onOperations: (file: File) => void) => {
    latest.current = files;
    try {
      const found = await Promise.all(files.slice(0, most + 1).map(recognize));
      if (latest.current !== files) return;
      const { file, change } = choiceOf(found);
      setError(undefined);
      if (file !== undefined) onOperations(file);
      else choose(change);
    } catch (error) {
      if (latest.current === files) setError(error);
    }
  };
  return { chosen, choose, take, error, close: () => setChosen(undefined) };
}

/** A table and its map. */
const most = 2;

/** What files that were chosen together mean: a file of operations, or a change of the table and its map. */
function choiceOf(found: readonly Recognized[]): { file?: File; change: Partial<Chosen> } {
  const [first] = found;
  if (found.length === 1 && first?.kind === "operations") return { file: first.file, change: {} };
  const change: Partial<Chosen> = {};
  for (const each of found) {
    if (each.kind === "operations" || each.kind in change)
      throw new Error("Choose one file of operations, or one table and its map.");
    if (each.kind === "map") Object.assign(change, { map: each, allCells: false, lookups: {} });
    else Object.assign(change, { table: each.file, encoding: undefined, delimiter: undefined });
  }
  return { change };
}
