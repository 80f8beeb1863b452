/** A part of a file: the loaded bytes from an offset on. */
export interface Loaded {
  bytes: Uint8Array;
  /** The offset of its first byte in the file. */
  start: number;
  /** The length of the whole file. */
  size: number;
}

/**
 * The rows a part of a file is shown in. A line longer than a row continues in the next ones, so a line of
 * any length is readable, and no row is wider than the page.
 */
export interface FileRows extends Loaded {
  /** The first byte of each row, relative to the part; after the last row, the end of what can be shown. */
  starts: Uint32Array;
  /** The number of line feeds before each row, within the part. */
  breaks: Uint32Array;
  count: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The continuation bytes of a character in UTF-8. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Maximum number of continuation bytes of a character. */
const mostContinuations = 3;

/**
 * Cuts a part of a file into rows of at most `rowBytes` bytes, never within a character. A character cut at
 * either end of the part is omitted.
 */
export function cutIntoRows(loaded: Loaded, rowBytes: number): FileRows {
  const { bytes } = loaded;
  const [from, end] = wholeCharacters(loaded);
  const starts = [from];
  const breaks = [0];
  let lines = 0;
  for (let at = from; at < end; ) {
    const found = bytes.indexOf(lineFeed, at);
    const lineEnd = found === -1 || found >= end ? end : found;
    for (let cut = cutWithin(bytes, at, rowBytes); cut < lineEnd; cut = cutWithin(bytes, cut, rowBytes)) {
      starts.push(cut);
      breaks.push(lines);
    }
    if (lineEnd === end) break;
    at = lineEnd + 1;
    lines++;
    // After the last line feed of the file there is an empty line; after that of a part, one that is not
    // loaded.
    if (at < end || loaded.start + at === loaded.size) {
      starts.push(at);
      breaks.push(lines);
    }
  }
  const count = starts.length;
  starts.push(end);
  return { ...loaded, starts: Uint32Array.from(starts), breaks: Uint32Array.from(breaks), count };
}

/** The end of a row of `rowBytes` bytes from `at` on: earlier if it would fall within a character. */
function cutWithin(bytes: Uint8Array, at: number, rowBytes: number): number {
  const most = at + rowBytes;
  for (let back = 0; back <= mostContinuations; back++)
    if (!isContinuation(bytes[most - back])) return most - back;
  // Not valid in UTF-8.
  return most;
}

/** A part's bytes without the partial characters at its ends. */
function wholeCharacters({ bytes, start, size }: Loaded): [number, number] {
  let from = 0;
  if (start > 0) while (from < mostContinuations && isContinuation(bytes[from])) from++;
  let end = bytes.length;
  if (start + end < size) {
    let first = end - 1;
    while (first > end - 1 - mostContinuations && isContinuation(bytes[first])) first--;
    if (first >= from && first + lengthOf(bytes[first]) > end) end = first;
  }
  return [Math.min(from, end), end];
}

/** The bytes of the character that begins with a byte. */
function lengthOf(byte = 0): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}

/** The row that contains a byte of the file; the nearest one for a byte outside of the part. */
export function rowAt({ starts, count, start }: FileRows, offset: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (start + (starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The offset of a row's first byte in the file. */
export const offsetOf = ({ starts, start }: FileRows, row: number): number => start + (starts[row] ?? 0);

/** True for a row that continues the previous row's line, or one that may have begun before the part. */
export const continues = (rows: FileRows, row: number): boolean =>
  row === 0 ? rows.start > 0 : rows.breaks[row] === rows.breaks[row - 1];

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A span of a row's text; marked ones are what a position points at. */
export interface Piece {
  text: string;
  /** Its first byte in the file. */
  offset: number;
  isMarked: boolean;
}

/** A row's text without its line ending, with the values that begin at the given offsets as spans of their own. */
export function piecesOf(rows: FileRows, row: number, marked: readonly number[] = []): Piece[] {
  const [from, end] = textRange(rows, row);
  const cuts = [...new Set(marked)].filter((offset) => offset >= from && offset < end).sort((a, b) => a - b);
  return [from, ...cuts].flatMap((offset, i) => {
    const text = shown(
      decoder.decode(rows.bytes.subarray(offset - rows.start, (cuts[i] ?? end) - rows.start)),
    );
    if (i === 0) return text === "" ? [] : [{ text, offset, isMarked: false }];
    const length = token.exec(text)?.[0].length ?? 0;
    return [
      { text: text.slice(0, length), offset, isMarked: true },
      { text: text.slice(length), offset: offset + 0.5, isMarked: false },
    ];
  });
}

/** The offset of the first byte of a row's text, and the offset after its last. */
function textRange({ bytes, starts, start }: FileRows, row: number): [number, number] {
  const from = starts[row] ?? 0;
  let end = starts[row + 1] ?? from;
  if (end > from && bytes[end - 1] === lineFeed) end--;
  if (end > from && bytes[end - 1] === carriageReturn) end--;
  return [start + from, start + end];
}

/** A JSON value, or any other text in its position. */
const token = /^(?:"(?:[^"\\]|\\.)*"?|[\w.+-]+|.)/su;

/** A text with control characters replaced by their Unicode pictures. */
const shown = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  text.replace(/[\x00-\x08\x0b-\x1f]/g, (character) => String.fromCharCode(0x2400 + character.charCodeAt(0)));

export function countBreaks(bytes: Uint8Array, from: number, end: number): number {
  let breaks = 0;
  for (let at = bytes.indexOf(lineFeed, from); at !== -1 && at < end; at = bytes.indexOf(lineFeed, at + 1))
    breaks++;
  return breaks;
}
