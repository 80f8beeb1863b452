/** The most characters of a message that its cause is made of. */
const causeMadeOf = 2_000;
/** A clause such as `; did you mean "…" or "…"?`: what is near is a value, too. */
const suggestion = /[;:.,]? did you mean (?:"…"(?:, | or )?)+\?/gi;
/** The most characters of a cause. */
export const causeLength = 200;

/**
 * The cause that a message states, the same for all problems that differ only in their values: quoted values, ids and
 * numbers are replaced by `…`, what may have been meant is left out, and it has at most 200 characters. Takes little
 * time for any message: only the beginning of one counts.
 */
export function causeOf(message: string): string {
  const cause = message
    .slice(0, causeMadeOf)
    .replaceAll(/"[^"]*(?:"|$)/g, '"…"')
    .replaceAll(suggestion, "")
    .replaceAll(/[\p{L}\p{N}_-]+/gu, (word) => (/\d/.test(word) ? "…" : word))
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, causeLength);
  return cause.isWellFormed() ? cause : cause.slice(0, -1).toWellFormed();
}

/** Problems of one kind that have the same cause. */
export interface Cause<Kind extends string, Example> {
  readonly kind: Kind;
  /** The message that all of them have, or their cause; null for the causes that are not kept apart. */
  readonly text: string | null;
  readonly count: number;
  /** The first of them, as they were given. */
  readonly examples: readonly Example[];
}

interface Group<Kind, Example> {
  kind: Kind;
  text: string | null;
  count: number;
  examples: Example[];
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

  /** Counts a problem. Returns the examples of its cause as long as this problem is to be added to them. */
  count(kind: Kind, message: string): Example[] | undefined {
    const group = this.#groupOf(kind, message);
    group.count++;
    return group.count <= keptOfCauses.examples ? group.examples : undefined;
  }

  #groupOf(kind: Kind, message: string): Group<Kind, Example> {
    const groups = this.#groups.get(kind)!;
    const own = causeOf(message);
    const cause = groups.has(own) || groups.size < keptOfCauses.causes ? own : null;
    const known = groups.get(cause);
    if (known !== undefined) {
      if (known.text !== message) known.text = cause;
      return known;
    }
    const text = cause === null || message.length > causeLength ? cause : message;
    const group = { kind, text, count: 0, examples: [] };
    groups.set(cause, group);
    return group;
  }

  /** The causes, the gravest kind first, and of a kind the most frequent one. */
  list(): Cause<Kind, Example>[] {
    return [...this.#groups.values()].flatMap((groups) =>
      [...groups.values()].sort(
        (a, b) => Number(a.text === null) - Number(b.text === null) || b.count - a.count,
      ),
    );
  }
}
