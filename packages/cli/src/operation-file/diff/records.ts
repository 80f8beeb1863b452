import type { NaturalKey } from "@lading/schema";
import { type Key, KeyList, KeyTable, keyOf } from "./key-table.ts";

/** An operation as a dump has it. */
export interface Operation {
  readonly intent: string;
  readonly [field: string]: unknown;
}

/** A number that stands for two records with the same key. */
const ambiguous = 2 ** 30 - 1;

/** The entities of one kind in a dump: where their operations are, and their keys. Each has a number from 0. */
export class Records {
  readonly offsets: number[] = [];
  readonly lengths: number[] = [];
  /** Empty where the kind has no ids. */
  readonly ids: string[] = [];
  readonly #byId = new KeyTable();
  readonly #keys = new Map<NaturalKey["by"], { table: KeyTable; list: KeyList }>();

  get length(): number {
    return this.offsets.length;
  }

  /** Adds a record; its natural keys are added by `addKey`. Returns its number. */
  add(offset: number, length: number, id: string | undefined): number {
    const number = this.offsets.length;
    this.offsets.push(offset);
    this.lengths.push(length);
    if (id !== undefined) {
      this.ids.push(id);
      this.#byId.set(keyOf(id), number);
    }
    return number;
  }

  /** Gives the last record its natural keys. */
  addKeys(by: readonly NaturalKey["by"][], keys: readonly NaturalKey[]): void {
    for (const name of by) {
      const found = keys.find((key) => key.by === name);
      this.#keysBy(name).list.push(found && this.#noted(name, keyOf(found.value)));
    }
  }

  #noted(by: NaturalKey["by"], key: Key): Key {
    const { table } = this.#keysBy(by);
    table.set(key, table.get(key) === undefined ? this.length - 1 : ambiguous);
    return key;
  }

  #keysBy(by: NaturalKey["by"]) {
    const keys = this.#keys.get(by) ?? { table: new KeyTable(), list: new KeyList() };
    this.#keys.set(by, keys);
    return keys;
  }

  /** Lengthens the last record, because more lines belong to it. */
  extend(length: number): void {
    this.lengths[this.length - 1]! += length;
  }

  /** The byte behind the last record. */
  get end(): number {
    return (this.offsets.at(-1) ?? 0) + (this.lengths.at(-1) ?? 0);
  }

  withId(id: string): number | undefined {
    return this.#byId.get(keyOf(id));
  }

  /** Returns a natural key of a record. */
  keyOf(by: NaturalKey["by"], number: number): Key | undefined {
    return this.#keys.get(by)?.list.at(number);
  }

  /** True if a record, or more, have a natural key. */
  hasKey(by: NaturalKey["by"], key: Key): boolean {
    return this.#keys.get(by)?.table.get(key) !== undefined;
  }

  /** Returns the record with a natural key; undefined where none has it, or two. */
  withKey(by: NaturalKey["by"], key: Key): number | undefined {
    const number = this.#keys.get(by)?.table.get(key);
    return number === ambiguous ? undefined : number;
  }
}
