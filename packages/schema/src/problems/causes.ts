import { quoted, shortened } from "./phrases.ts";

/** The most characters of a message that its cause is made of. */
const causeMadeOf = 2_000;
/** A clause such as `; did you mean "…" or "…"?`: what is near is a value, too. */
const suggestion = /[;:.,]? did you mean (?:"…"(?:, | or )?)+\?/gi;
export const causeLength = 200;

/**
 * The cause that a message states, the same for all problems that differ only in their values: quoted values, ids and
 * numbers are replaced by `…`, what may have been meant is left out, and it has at most 200 characters. Takes little
 * time for any message: only the beginning of one counts.
 * @param field a name that stays where it is quoted
 */
export function causeOf(message: string, field?: string): string {
  const kept = field === undefined ? undefined : quoted(field);
  const cause = message
    .slice(0, causeMadeOf)
    .replaceAll(/"[^"]*(?:"|$)/g, (text) => (text === kept ? text : '"…"'))
    .replaceAll(suggestion, "")
    .replaceAll(/[\p{L}\p{N}_-]+/gu, (word) => (/\d/.test(word) && word !== field ? "…" : word))
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, causeLength);
  return cause.isWellFormed() ? cause : cause.slice(0, -1).toWellFormed();
}

/** Problems of one kind that have the same cause. */
export interface Cause<Kind extends string, Example> {
  readonly kind: Kind;
  /** The message that all of them have, or their cause; null for the causes that are not kept apart. */
  readonly text: string | null;
  /** The field that all of them are about, where the text does not name it. */
  readonly field: string | undefined;
  readonly count: number;
  /** The first of them, and where these have one message, the first of others. */
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

/** The most causes of a kind that are kept apart, and the most examples of a cause. */
const keptOfCauses = { causes: 100, examples: 3 } as const;

/** Groups any number of problems by cause, in memory that is bounded if the examples are. */
export class Causes<Kind extends string, Example> {
  readonly #groups: ReadonlyMap<Kind, Map<string | null, Group<Kind, Example>>>;

  /** @param kinds the gravest kind first */
  constructor(...kinds: readonly Kind[]) {
    this.#groups = new Map(kinds.map((kind) => [kind, new Map()]));
  }

  /**
   * Counts a problem. Returns a function that takes it as an example, if its cause is to have it as one.
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

  /** The causes, the gravest kind first, and of a kind the most frequent one. */
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
