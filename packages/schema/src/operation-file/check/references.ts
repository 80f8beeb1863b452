import { type Intent, intentNames } from "../../intents.ts";
import { defaultsName } from "../../templates/names.ts";

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

/** A name and the first operation that has it. */
export interface ReferenceName {
  name: string;
  index: number;
}

/** How many names are told of a file, and how many UTF-16 units they have together. */
const toldNames = { count: 1_000, length: 32_768 };

/**
 * The names that operations of a file give to their results, and who reads them. Memory: about 50 bytes and its own
 * length for each different name, about 30 bytes for each operation that is read.
 */
export interface References {
  /** The operation that a name stands for at this point of the file, and its intent, in one number. */
  readonly names: Map<string, number>;
  readonly lastReaders: Map<number, number>;
  /** The first names, each at its first operation, as many as are told. */
  readonly told: ReferenceName[];
  toldLength: number;
  /** Whether a template reads a name that no operation before it has. */
  unresolved: boolean;
}

export function references(): References {
  return { names: new Map(), lastReaders: new Map(), told: [], toldLength: 0, unresolved: false };
}

const intentSlots = 128;

/** From here on the name stands for this operation. */
export function define(references: References, name: string, { index, intent }: Definition): void {
  const { names } = references;
  if (!names.has(name)) tell(references, { name, index });
  names.set(
    name,
    index * intentSlots + (intent === undefined ? intentSlots - 1 : intentNames.indexOf(intent)),
  );
}

function tell(references: References, told: ReferenceName): void {
  const length = references.toldLength + told.name.length;
  if (told.name === defaultsName || references.told.length >= toldNames.count || length > toldNames.length)
    return;
  references.told.push(told);
  references.toldLength = length;
}

/** The names to be told of where a name is read that no operation before has; null where none is. */
export function namesToTell({ unresolved, told }: References): ReferenceName[] | null {
  return unresolved ? told : null;
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
