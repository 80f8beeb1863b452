type Path = readonly (string | number)[];

/**
 * Where uploads of a payload failed. What they were for is left out of the payload, and a command that would replace
 * something stored by the rest keeps it instead, and notes that here. Places are those of the payload as written.
 */
export class FailedUploads {
  readonly #places: readonly Path[];
  readonly #kept: Path[] = [];

  constructor(places: readonly Path[]) {
    this.#places = places;
  }

  /** Whether an upload failed at a place of the payload, or anywhere within it. */
  within(place: Path): boolean {
    return this.#places.some((failed) => place.every((part, i) => failed[i] === part));
  }

  /** Notes that what is stored stays, in spite of what the payload has at a place. */
  keep(place: Path): void {
    this.#kept.push(place);
  }

  /** The places whose stored values were kept. */
  get kept(): readonly Path[] {
    return this.#kept;
  }
}
