/** Something that operations cannot write: how often it was left out, and a few of the ids. */
export interface Omission {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
}

/** The most ids that are named of one omission. */
const mostExamples = 5;

/** The count of all that a dump leaves out. */
export class Omissions {
  readonly #byText = new Map<string, { count: number; examples: string[] }>();

  /** Notes that something of the row with this id is left out. */
  add(what: string, id: string): void {
    const omission = this.#byText.get(what) ?? { count: 0, examples: [] };
    omission.count++;
    if (omission.examples.length < mostExamples) omission.examples.push(id);
    this.#byText.set(what, omission);
  }

  /** Lists what was left out so far. */
  list(): Omission[] {
    return [...this.#byText].map(([what, omission]) => ({ what, ...omission }));
  }
}
