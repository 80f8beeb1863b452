/** A line of an excerpt. */
export interface ExcerptLine {
  /** From 1. */
  number: number;
  text: string;
  /** The column of the first character of the text, from 1: a long line is not shown from its beginning. */
  column: number;
  /** True when the line goes on behind the text. */
  isCut: boolean;
}

/** A place in a file, as an issue has it. */
export interface FilePlace {
  /** Bytes before it. */
  offset: number;
  line: number;
  column: number;
}

/** Most bytes that are read to each side of a place. */
export const excerptBytes = 16 * 1024;
/** Most lines before a place, and after it. */
const linesAround = 20;
/** Most characters of a line. */
const lineLength = 400;
/** Characters that are shown before the place, where its line is cut at its beginning. */
const charactersBefore = 80;

/**
 * The lines around a place of a file.
 *
 * @param bytes the part of the file around the place
 * @param start bytes of the file before that part
 */
export function excerptLines(bytes: Uint8Array, start: number, place: FilePlace): ExcerptLine[] {
  const at = place.offset - start;
  const before = textOf(bytes.subarray(firstWhole(bytes), at)).split("\n");
  const after = textOf(bytes.subarray(at)).split("\n");
  const head = before.pop() ?? "";
  const own = head + (after.shift() ?? "");
  // The first of the lines before may have begun before the part.
  const whole = start === 0 ? before : before.slice(1);
  const earlier = whole.slice(-linesAround);
  const later = after.slice(0, linesAround);
  return [
    ...earlier.map((text, i) => lineOf(text, place.line - earlier.length + i)),
    placeLine(own, head.length, place),
    ...later.map((text, i) => lineOf(text, place.line + 1 + i)),
  ];
}

/** The index of the first byte that does not go on with a character. */
function firstWhole(bytes: Uint8Array): number {
  const index = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, index);
}

const decoder = new TextDecoder();
const textOf = (bytes: Uint8Array) => decoder.decode(bytes);

function lineOf(text: string, number: number): ExcerptLine {
  const line = text.replace(/\r$/, "");
  return { number, column: 1, text: line.slice(0, lineLength), isCut: line.length > lineLength };
}

/** The line of the place, from shortly before it where it is long, or where its beginning was not read. */
function placeLine(text: string, at: number, { line, column }: FilePlace): ExcerptLine {
  const isShort = column - 1 === at && text.length <= lineLength;
  const from = isShort ? 0 : Math.max(0, at - charactersBefore);
  return { ...lineOf(text.slice(from), line), column: column - (at - from) };
}
