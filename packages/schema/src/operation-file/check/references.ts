import { type Intent, intentNames } from "../../intents.ts";
import { defaultsName } from "../../templates/names.ts";

export interface Definition {
  readonly index: number;
  readonly intent: Intent | undefined;
}

/** The operation whose result is read, and the last operation that reads it. */
export interface ReferenceLifetime {
  index: number;
  lastReader: number;
}

export interface ReferenceName {
  name: string;
  index: number;
}

/** Maximum names reported for a file, and their maximum total of UTF-16 units. */
const reportedNames = { count: 1_000, length: 32_768 };

/**
 * The names operations of a file give to their results, and the operations that read them. Memory: about 50
 * bytes plus its length per different name, about 30 bytes per operation that is read.
 */
export interface References {
  /** The operation a name stands for at this point of the file, and its intent, in one number. */
  readonly names: Map<string, number>;
  readonly lastReaders: Map<number, number>;
  /** The first names, each at its first operation, up to the reporting limit. */
  readonly reported: ReferenceName[];
  reportedLength: number;
  /** True if a template reads a name that no earlier operation has. */
  unresolved: boolean;
}

export function references(): References {
  return { names: new Map(), lastReaders: new Map(), reported: [], reportedLength: 0, unresolved: false };
}

const intentSlots = 128;

/** Binds a name to an operation, until another one takes it. */
export function define(references: References, name: string, { index, intent }: Definition): void {
  const { names } = references;
  if (!names.has(name)) remember(references, { name, index });
  names.set(
    name,
    index * intentSlots + (intent === undefined ? intentSlots - 1 : intentNames.indexOf(intent)),
  );
}

function remember(references: References, name: ReferenceName): void {
  const length = references.reportedLength + name.name.length;
  if (
    name.name === defaultsName ||
    references.reported.length >= reportedNames.count ||
    length > reportedNames.length
  )
    return;
  references.reported.push(name);
  references.reportedLength = length;
}

/** The names to report if a template reads a name that no earlier operation has; otherwise null. */
export function namesToReport({ unresolved, reported }: References): ReferenceName[] | null {
  return unresolved ? reported : null;
}

export function definitionOf({ names }: References, name: string): Definition | undefined {
  const packed = names.get(name);
  if (packed === undefined) return undefined;
  return { index: Math.floor(packed / intentSlots), intent: intentNames[packed % intentSlots] };
}

/** Call it for readers in file order: the last call names the last reader. */
export function markRead({ lastReaders }: References, index: number, reader: number): void {
  lastReaders.set(index, reader);
}

/** The lifetime of every result that a later operation reads, in file order. */
export function lifetimesOf({ lastReaders }: References): ReferenceLifetime[] {
  const lifetimes: ReferenceLifetime[] = [];
  for (const [index, lastReader] of lastReaders) lifetimes.push({ index, lastReader });
  return lifetimes.sort((a, b) => a.index - b.index);
}
