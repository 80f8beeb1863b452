import { quoted, shortened } from "./phrases.ts";

/** Maximum characters of a message used for its cause. */
const causeMadeOf = 2_000;
/** A clause such as `; did you mean "…" or "…"?`: its suggestions are values, too. */
const suggestion = /[;:.,]? did you mean (?:"…"(?:, | or )?)+\?/gi;
export const causeLength = 200;

/**
 * The cause a message states, the same for all problems that differ only in their values: quoted values, ids
 * and numbers are replaced by `…`, suggestions are dropped, and it has at most 200 characters. Takes little
 * time for any message: only its beginning counts.
 * @param field a name that stays where it is quoted
 */
export function causeOf(message: string, field?: string): string {
  const kept = field === undefined ? undefined : quoted(field);
  const cause = message
    .slice(0, causeMadeOf)
    .replaceAll(/"(?:[^"\\]|\\.?)*(?:"|$)/gs, (text) => (text === kept ? text : '"…"'))
    .replaceAll(suggestion, "")
    .replaceAll(/[\p{L}\p{N}_-]+/gu, (word) => (/\d/.test(word) && word !== field ? "…" : word))
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, causeLength);
  return cause.isWellFormed() ? cause : cause.slice(0, -1).toWellFormed();
}

/** Problems of one kind with the same cause. */
export interface Cause<Kind extends string, Example> {
  readonly kind: Kind;
  /** The message they share, or their cause; null for the causes that are not kept apart. */
  readonly text: string | null;
  /** The field they are all about, if the text does not name it. */
  readonly field: string | undefined;
  readonly count: number;
  /** The first of them, or of the others if these share one message. */
  readonly examples: readonly Example[];
}

interface Slot<Example> {
  readonly message: string;
  example?: Example;
}

interface Group<Kind, Example> {
  kind: Kind;
  text: string | null;
  field: string | undefined;
  count: number;
  slots: Slot<Example>[];
}

/** Maximum causes kept apart per kind, and maximum examples per cause. */
const keptOfCauses = { causes: 100, examples: 3 } as const;

/** Groups any number of problems by cause, in bounded memory if the examples are bounded. */
export class Causes<Kind extends string, Example> {
  readonly #groups: ReadonlyMap<Kind, Map<string | null, Group<Kind, Example>>>;

  /** @param kinds the most severe kind first */
  constructor(...kinds: readonly Kind[]) {
    this.#groups = new Map(kinds.map((kind) => [kind, new Map()]));
  }

  /**
   * Counts a problem. Returns a function that takes it as an example, if its cause needs one.
   * @param field the name of what the problem is about: problems of two fields have two causes
   */
  count(kind: Kind, message: string, field?: string): ((example: Example) => void) | undefined {
    const { slots } = this.#counted(kind, message, field);
    if (slots.length === keptOfCauses.examples) {
      const messages = slots.map((slot) => slot.message);
      const repeated = messages.findIndex((message, i) => messages.indexOf(message) < i);
      if (repeated === -1 || messages.includes(message)) return undefined;
      slots.splice(repeated, 1);
    }
    const slot: Slot<Example> = { message };
    slots.push(slot);
    return (example) => {
      slot.example = example;
    };
  }

  #counted(kind: Kind, message: string, field: string | undefined): Group<Kind, Example> {
    const groups = this.#groups.get(kind)!;
    const text = causeOf(message, field);
    const own = field === undefined ? text : `${text}\0${field}`;
    const isOwn = groups.has(own) || groups.size < keptOfCauses.causes;
    const known = groups.get(isOwn ? own : null);
    if (known !== undefined) {
      known.count++;
      if (known.text !== message) known.text = isOwn ? text : null;
      return known;
    }
    const group = {
      kind,
      text: !isOwn ? null : message.length > causeLength ? text : message,
      field: isOwn ? field : undefined,
      count: 1,
      slots: [],
    };
    groups.set(isOwn ? own : null, group);
    return group;
  }

  /** The causes, the most severe kind first, and within a kind the most frequent one first. */
  list(): Cause<Kind, Example>[] {
    return [...this.#groups.values()].flatMap((groups) =>
      [...groups.values()]
        .sort((a, b) => Number(a.text === null) - Number(b.text === null) || b.count - a.count)
        .map(({ kind, text, field, count, slots }) => ({
          kind,
          text,
          field: field === undefined || text?.includes(quoted(field)) ? undefined : shortened(field),
          count,
          examples: slots.flatMap(({ example }) => (example === undefined ? [] : [example])),
        })),
    );
  }
}
