import { type Intent, intentNames } from "../intents.ts";

/** Which operation a name stands for. */
export interface Definition {
  readonly index: number;
  readonly intent: Intent | undefined;
}

/** The operation whose result is read, and the last operation that reads it. */
export interface ReferenceLifetime {
  index: number;
  lastReader: number;
}

/**
 * The names that operations of a file give to their results, and who reads them. Memory: about 50 bytes and its own
 * length for each different name, about 30 bytes for each operation that is read.
 */
export interface References {
  /** The operation that a name stands for at this point of the file, and its intent, in one number. */
  readonly names: Map<string, number>;
  readonly lastReaders: Map<number, number>;
}

export function references(): References {
  return { names: new Map(), lastReaders: new Map() };
}

const intentSlots = 128;

/** From here on the name stands for this operation. */
export function define({ names }: References, name: string, { index, intent }: Definition): void {
  names.set(
    name,
    index * intentSlots + (intent === undefined ? intentSlots - 1 : intentNames.indexOf(intent)),
  );
}

/** The operation that a name stands for so far. */
export function definitionOf({ names }: References, name: string): Definition | undefined {
  const packed = names.get(name);
  if (packed === undefined) return undefined;
  return { index: Math.floor(packed / intentSlots), intent: intentNames[packed % intentSlots] };
}

/** Operations are to be told of in order: the last reader is the one told of last. */
export function markRead({ lastReaders }: References, index: number, reader: number): void {
  lastReaders.set(index, reader);
}

/** Of every operation that a later one reads, in the order of the file. */
export function lifetimesOf({ lastReaders }: References): ReferenceLifetime[] {
  const lifetimes: ReferenceLifetime[] = [];
  for (const [index, lastReader] of lastReaders) lifetimes.push({ index, lastReader });
  return lifetimes.sort((a, b) => a.index - b.index);
}
