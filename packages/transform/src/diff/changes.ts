import type { Action, EntityKind, KindIn } from "@lading/schema/internal";
import type { Operation } from "./indexed-dump.ts";

/** Nouns in the summary. */
export type Noun =
  | Words<Exclude<EntityKind, "item" | KindIn<"settings">>>
  | ("setting" | "folder" | "document" | "product")
  | ("selected variant" | "item in a flow" | "alias" | "former path" | "shortcut");

/** `priceList` → `price list` */
type Words<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : ` ${Lowercase<Letter>}`}${Words<Rest>}`
  : Name;

export const wordsOf = <Name extends string>(name: Name): Words<Name> =>
  // The regular expression does what the type says.
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) as Words<Name>;

export type Change = Extract<Action, "created" | "updated" | "deleted">;

export interface Count {
  readonly noun: Noun;
  readonly change: Change | "left" | "released";
  count: number;
  /** The first of them. */
  readonly names: string[];
}

/** A difference that no operation can remove. */
export interface Remainder {
  readonly what: string;
  count: number;
  readonly names: string[];
}

const mostNames = 5;

export class Changes {
  readonly #counts = new Map<string, Count>();
  readonly #remainders = new Map<string, Remainder>();
  /** The number of operations written. */
  operations = 0;

  /**
   * Counts a changed entity. `left`: it exists only in the tenant to change, and is kept. `released`: it also gives up
   * a value that another entity gets.
   */
  note(noun: Noun, change: Count["change"], name: string): void {
    const key = `${noun} ${change}`;
    const counted = this.#counts.get(key) ?? { noun, change, count: 0, names: [] };
    this.#counts.set(key, counted);
    add(counted, name);
  }

  remains(what: string, name: string): void {
    const remainder = this.#remainders.get(what) ?? { what, count: 0, names: [] };
    this.#remainders.set(what, remainder);
    add(remainder, name);
  }

  /** Adds a remaining difference that is already counted. */
  remain(remainder: Remainder): void {
    this.#remainders.set(remainder.what, remainder);
  }

  get counts(): Count[] {
    return [...this.#counts.values()];
  }

  get remainders(): Remainder[] {
    return [...this.#remainders.values()];
  }
}

function add(counted: { count: number; names: string[] }, name: string): void {
  counted.count++;
  if (counted.names.length < mostNames && !counted.names.includes(name)) counted.names.push(name);
}

/** The operations that remove one kind of difference. */
export type Differences = Generator<Operation, void>;
