import type { ColumnType, ColumnValues, Parameter } from "../database.ts";
import { sqlStates } from "../sql-states.ts";

/** A parameter as the clients of both engines take it. */
export type SentParameter = Exclude<Parameter, ColumnValues>;

/** A value its column cannot store. Its SQLSTATE makes it a data error, like the database's own. */
class UnstorableValue extends Error {
  override name = "UnstorableValue";
  readonly code = sqlStates.invalidParameterValue;
}

/** Initial size in bytes, and the limit for keeping an unused buffer. */
const [initial, mostKept] = [65_536, 1_048_576];

/** A reusable buffer, rewritten from the start, that grows on demand. */
class Scratch {
  #bytes = Buffer.allocUnsafe(initial);
  #length = 0;

  /** The number of bytes written. */
  get length(): number {
    return this.#length;
  }

  clear(): void {
    if (this.#bytes.length > mostKept) this.#bytes = Buffer.allocUnsafe(initial);
    this.#length = 0;
  }

  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** The low 32 bits of an integer, signed or not. */
  int32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeInt32BE(value | 0, this.#length);
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleBE(value, this.#length);
  }

  /** A text in UTF-8, after its length in bytes. */
  text(value: string): void {
    this.#reserve(4 + 3 * value.length);
    const length = this.#bytes.write(value, this.#length + 4);
    this.#bytes.writeInt32BE(length, this.#length);
    this.#length += 4 + length;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const scratch = new Scratch();

/**
 * Replaces columns by arrays in PostgreSQL's binary form (`array_recv`), which both engines read faster than JSON.
 * Throws a data error when a column cannot store a value.
 */
export function sentParameters(parameters: readonly Parameter[] = []): SentParameter[] {
  scratch.clear();
  const ends = parameters.map((parameter) => {
    if (isColumn(parameter)) writeArray(parameter);
    return scratch.length;
  });
  // One copy for all arrays of a statement: many small buffers take longer to make.
  const bytes = scratch.copy();
  return parameters.map((parameter, i) =>
    isColumn(parameter) ? bytes.subarray(ends[i - 1] ?? 0, ends[i]) : parameter,
  );
}

const isColumn = (parameter: Parameter): parameter is ColumnValues =>
  typeof parameter === "object" && parameter !== null && "type" in parameter;

const lengthOfNull = -1;

function writeArray({ type, values }: ColumnValues): void {
  const { oid, write } = types[type];
  // One dimension, nulls among the elements or not, their type, their number, and the index of the first.
  for (const field of [1, 1, oid, values.length, 1]) scratch.int32(field);
  for (const value of values)
    if (value === null || value === undefined) scratch.int32(lengthOfNull);
    else write(value);
}

interface BinaryType {
  /** PostgreSQL: pg_type.oid. */
  readonly oid: number;
  /** Writes a value that is not null in the form of the type (`textrecv`, `int4recv` and so on), after its length. */
  readonly write: (value: unknown) => void;
}

const types: Readonly<Record<ColumnType, BinaryType>> = {
  text: { oid: 25, write: writeText },
  int: { oid: 23, write: writeInt },
  bigint: { oid: 20, write: writeBigint },
  float8: { oid: 701, write: writeFloat },
  boolean: { oid: 16, write: writeBoolean },
  timestamptz: { oid: 1184, write: writeTimestamp },
  json: { oid: 114, write: (value) => scratch.text(jsonOf(value)) },
  // The version of the form, which is followed by the text.
  jsonb: { oid: 3802, write: (value) => scratch.text(`\u0001${jsonOf(value)}`) },
};

function writeText(value: unknown): void {
  if (typeof value !== "string") refuse(value, "a text");
  if (value.includes("\0")) throw new UnstorableValue(unstorable.nul);
  if (!value.isWellFormed()) throw new UnstorableValue(unstorable.surrogate);
  scratch.text(value);
}

function writeInt(value: unknown): void {
  if (typeof value !== "number" || value !== (value | 0)) refuse(value, "an integer of 32 bits");
  scratch.int32(4);
  scratch.int32(value);
}

function writeBigint(value: unknown): void {
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    refuse(value, "an integer of 53 bits at most");
  scratch.int32(8);
  scratch.int32(Math.floor(value / 2 ** 32));
  scratch.int32(value);
}

function writeFloat(value: unknown): void {
  if (typeof value !== "number" || !Number.isFinite(value)) refuse(value, "a number");
  scratch.int32(8);
  // A zero has no sign in JSON either.
  scratch.float64(value + 0);
}

function writeBoolean(value: unknown): void {
  if (typeof value !== "boolean") refuse(value, "true or false");
  scratch.int32(1);
  scratch.byte(Number(value));
}

/** A timestamp, with its microseconds since 2000 as two halves of 64 bits. Many timestamps are the operation's time. */
let lastTime = { text: "2000-01-01T00:00:00.000Z", high: 0, low: 0 };
const year2000 = Date.UTC(2000);

function writeTimestamp(value: unknown): void {
  if (lastTime.text !== value) lastTime = halvesOf(value);
  scratch.int32(8);
  scratch.int32(lastTime.high);
  scratch.int32(lastTime.low);
}

function halvesOf(value: unknown): typeof lastTime {
  const text = String(value);
  const time = Date.parse(text);
  // PostgreSQL reads no year 0 and, in this form, none above 9999. `Date` converts an invalid date to another one.
  if (!isTimestamp.test(text) || Number.isNaN(time) || new Date(time).toISOString() !== text)
    refuse(value, "a time from the year 1 to 9999, such as 2026-01-31T12:00:00.000Z");
  const microseconds = BigInt(time - year2000) * 1000n;
  return { text, high: Number(microseconds >> 32n), low: Number(microseconds & 0xffff_ffffn) };
}

const isTimestamp = /^(?!0000)\d{4}-/;

/** Escapes that `JSON.stringify` writes for text PostgreSQL cannot store; it doesn't escape surrogate pairs. */
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:(0000)|d)/;

function jsonOf(value: unknown): string {
  const json = JSON.stringify(value);
  const found = json.includes("\\u") ? unstorableEscape.exec(json) : null;
  if (found !== null) throw new UnstorableValue(found[1] ? unstorable.nul : unstorable.surrogate);
  return json;
}

const unstorable = {
  nul: "a text has the character U+0000, which cannot be stored",
  surrogate: "a text has half of a surrogate pair, which cannot be stored",
};

function refuse(value: unknown, expected: string): never {
  throw new UnstorableValue(`${JSON.stringify(value)} cannot be stored: the column takes ${expected}`);
}
