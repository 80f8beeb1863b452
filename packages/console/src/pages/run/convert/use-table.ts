import { presetMap, presets } from "@lading/transform/presets";
import { useRef, useState } from "react";
import { recognize } from "./recognize.ts";
import type { Chosen } from "./use-conversion.ts";

const nothing: Chosen = { lookups: {} };

/** The table on the page, and what it takes to convert it; undefined while there is none. */
export function useTable() {
  const [chosen, setChosen] = useState<Chosen>();
  const [error, setError] = useState<unknown>();
  const latest = useRef<unknown>(undefined);
  const choose = (change: Partial<Chosen>) => setChosen((now = nothing) => ({ ...now, ...change }));
  /** Does what comes of a choice, unless another one was made meanwhile. */
  const after = async <Found>(choice: Promise<Found>, then: (found: Found) => void) => {
    latest.current = choice;
    try {
      const found = await choice;
      if (latest.current !== choice) return;
      setError(undefined);
      then(found);
    } catch (error) {
      if (latest.current === choice) setError(error);
    }
  };
  /** Takes tables and maps. `onOperations` is called with a file that is neither. */
  const take = (files: readonly File[], onOperations: (file: File) => void) =>
    after(choiceOf(files), ({ file, change }) => (file === undefined ? choose(change) : onOperations(file)));
  const takePreset = (name: string) => {
    const preset = presets[name];
    if (preset !== undefined) void after(presetMap(preset), (text) => choose(withMap({ name, text })));
  };
  const close = () => {
    latest.current = undefined;
    setChosen(undefined);
    setError(undefined);
  };
  return { chosen, choose, take, takePreset, error, close };
}

/** The choices of how a table is read, without any. */
const unread = { encoding: undefined, delimiter: undefined, sheet: undefined, sheets: undefined };

/** Another map takes other tables. */
const withMap = (map: Chosen["map"]): Partial<Chosen> => ({ map, allCells: false, lookups: {} });

/** A table and its map. */
const most = 2;

/** The meaning of files that were chosen together: a file of operations, or a change of the table and its map. */
async function choiceOf(files: readonly File[]): Promise<{ file?: File; change: Partial<Chosen> }> {
  const found = await Promise.all(files.slice(0, most + 1).map(recognize));
  const [first] = found;
  if (found.length === 1 && first?.kind === "operations") return { file: first.file, change: {} };
  const change: Partial<Chosen> = {};
  for (const each of found) {
    if (each.kind === "operations" || each.kind in change)
      throw new Error("Choose one file of operations, or one table and its map.");
    if (each.kind === "map") Object.assign(change, withMap(each));
    else Object.assign(change, { ...unread, table: each.file });
  }
  return { change };
}
