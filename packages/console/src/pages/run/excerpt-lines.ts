export interface ExcerptLine {
  /** From 1. */
  number: number;
  text: string;
  /** The column of the text's first character, from 1: a long line may be cut at its beginning. */
  column: number;
  /** True if the line continues after the text. */
  isCut: boolean;
}

/** A position in a file, as an issue has it. */
export interface FilePosition {
  /** Its byte offset. */
  offset: number;
  line: number;
  column: number;
}

/** Maximum bytes read on each side of a position. */
export const excerptBytes = 16 * 1024;
/** Maximum lines before a position, and after it. */
const linesAround = 20;
/** Maximum characters of a line. */
const lineLength = 400;
/** Characters shown before the position when its line is cut at its beginning. */
const charactersBefore = 80;

/**
 * The lines around a position of a file.
 *
 * @param bytes the part of the file around the position
 * @param start the part's offset in the file
 */
export function excerptLines(bytes: Uint8Array, start: number, position: FilePosition): ExcerptLine[] {
  const at = position.offset - start;
  const before = textOf(bytes.subarray(firstWhole(bytes), at)).split("\n");
  const after = textOf(bytes.subarray(at)).split("\n");
  const head = before.pop() ?? "";
  const own = head + (after.shift() ?? "");
  // The first of the preceding lines may have begun before the part.
  const whole = start === 0 ? before : before.slice(1);
  const earlier = whole.slice(-linesAround);
  const later = after.slice(0, linesAround);
  return [
    ...earlier.map((text, i) => lineOf(text, position.line - earlier.length + i)),
    positionLine(own, head.length, position),
    ...later.map((text, i) => lineOf(text, position.line + 1 + i)),
  ];
}

/** The index of the first byte that is not a continuation byte. */
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

/** The position's line, from shortly before it if it is long or its beginning was not read. */
function positionLine(text: string, at: number, { line, column }: FilePosition): ExcerptLine {
  const isShort = column - 1 === at && text.length <= lineLength;
  const from = isShort ? 0 : Math.max(0, at - charactersBefore);
  return { ...lineOf(text.slice(from), line), column: column - (at - from) };
}
