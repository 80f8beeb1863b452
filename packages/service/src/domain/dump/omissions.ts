/** Something that operations cannot write: how often it was left out, and a few of the ids. */
export interface Omission {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
  /** The shape of the items of which it is. */
  readonly shape?: string;
}

/** The most ids that are named of one omission. */
const mostExamples = 5;

/** The count of all that a dump leaves out. */
export class Omissions {
  readonly #byText = new Map<string, Omission & { count: number; examples: string[] }>();

  /** Notes that something of the row with this id is left out; for items of each `shape` apart. */
  add(what: string, id: string, shape?: string): void {
    const key = `${what} ${shape ?? ""}`;
    const omission = this.#byText.get(key) ?? { what, count: 0, examples: [], ...(shape && { shape }) };
    omission.count++;
    if (omission.examples.length < mostExamples) omission.examples.push(id);
    this.#byText.set(key, omission);
  }

  /** Lists what was left out so far. */
  list(): Omission[] {
    return [...this.#byText.values()];
  }
}
