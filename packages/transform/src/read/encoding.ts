import { invalidUtf8At } from "@lading/schema/internal";
import type { Encoding } from "../choices.ts";
import { DataError } from "../issues.ts";
import { joined, newLine, textOf } from "./bytes.ts";

/** Counts lines, for messages. */
class LineCount {
  /** The line on which the next byte is. */
  line = 1;

  add(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(newLine); at !== -1; at = bytes.indexOf(newLine, at + 1)) this.line++;
  }

  /** The line of a byte in a chunk that was not added yet. */
  at(bytes: Uint8Array, index: number): number {
    this.add(bytes.subarray(0, index));
    return this.line;
  }
}

/**
 * Converts text to UTF-8, without a byte order mark, in chunks of whole characters.
 * @throws DataError with the line, for bytes that are invalid in the encoding, and for U+0000
 */
export async function* utf8Of(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  const lines = new LineCount();
  for await (const bytes of encoding === "utf-8"
    ? checked(chunks, lines)
    : decoded(chunks, encoding, lines)) {
    const nul = bytes.indexOf(0);
    if (nul !== -1) throw nulFound(lines.at(bytes, nul), encoding);
    lines.add(bytes);
    yield bytes;
  }
}

const nulFound = (line: number, encoding: Encoding) =>
  new DataError(
    "NulCharacter",
    `the file contains the character U+0000${encoding === "utf-8" ? "; if it is UTF-16, its encoding is utf-16le or utf-16be" : ""}`,
    line,
  );

async function* checked(chunks: AsyncIterable<Uint8Array>, lines: LineCount): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  let isFirst = true;
  for await (const chunk of chunks) {
    let bytes = rest.length === 0 ? chunk : joined([rest, chunk]);
    if (isFirst && bytes.length < 3) {
      rest = bytes;
      continue;
    }
    if (isFirst) bytes = withoutMark(bytes);
    isFirst = false;
    const end = wholeCharacters(bytes);
    yield valid(bytes.subarray(0, end), lines);
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) yield valid(isFirst ? withoutMark(rest) : rest, lines);
}

/** Removes the byte order mark of UTF-8, and refuses those of UTF-16 and of archives. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const [first, second] = bytes;
  if (first === 0x50 && second === 0x4b && bytes[2] === 3)
    throw new DataError(
      "InvalidEncoding",
      "the file is not text; a workbook is named .xlsx, or takes --format xlsx",
      1,
    );
  if (first === 0xef && second === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3);
  if ((first !== 0xff || second !== 0xfe) && (first !== 0xfe || second !== 0xff)) return bytes;
  const name = first === 0xff ? "utf-16le" : "utf-16be";
  throw new DataError("InvalidEncoding", `the file is UTF-16, not UTF-8: its encoding is ${name}`, 1);
}

/** The length of the bytes without an incomplete character at their end. */
function wholeCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let at = length - 1; at >= 0 && at >= length - 3; at--) {
    const byte = bytes[at]!;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return at + size > length ? at : length;
  }
  return length;
}

function valid(bytes: Uint8Array, lines: LineCount): Uint8Array {
  const at = invalidUtf8At(bytes, textOf(bytes));
  if (at === -1) return bytes;
  const byte = `0x${bytes[at]!.toString(16).toUpperCase()}`;
  const message = `the byte ${byte} is not UTF-8; if a spreadsheet wrote the file, try the encoding windows-1252`;
  throw new DataError("InvalidEncoding", message, lines.at(bytes, at));
}

async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  lines: LineCount,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new TextEncoder();
  const decode = (chunk?: Uint8Array) => {
    try {
      return encoder.encode(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw new DataError(
        "InvalidEncoding",
        `the file is not ${encoding}, from about this line on`,
        lines.line,
      );
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}
