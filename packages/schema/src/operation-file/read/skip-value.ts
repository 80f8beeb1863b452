/** The progress of skipping one JSON value, and the counts of its contents. */
export interface ValueScan {
  /** Open brackets. */
  depth: number;
  deepest: number;
  inString: boolean;
  /** The next byte is escaped. */
  escaped: boolean;
  /** Line feeds outside of strings. */
  lines: number;
  /** Colons outside of strings: one per key. */
  keys: number;
  /** Commas and opening brackets outside of strings: at least one per nested value. */
  values: number;
}

const [plain, quote, open, close, lineFeed, colon, comma] = [0, 1, 2, 3, 4, 5, 6];

const kinds = kindsOf({
  '"': quote,
  "{": open,
  "[": open,
  "}": close,
  "]": close,
  "\n": lineFeed,
  ":": colon,
  ",": comma,
});

function kindsOf(characters: Readonly<Record<string, number>>): Uint8Array {
  const table = new Uint8Array(256);
  for (const [character, kind] of Object.entries(characters)) table[character.charCodeAt(0)] = kind;
  return table;
}

/**
 * Continues in a string, list or object, counting brackets. Whether they match, and everything else, is left
 * to the JSON parser: in a text that is not JSON, this skips at least as much as a parser would read before
 * refusing it.
 *
 * @returns the index just after the value, or -1 if it continues after `bytes`
 */
export function skipNested(bytes: Uint8Array, from: number, scan: ValueScan): number {
  const to = bytes.length;
  let { depth, deepest, inString, lines, keys, values } = scan;
  let at = scan.escaped ? from + 1 : from;
  let end = -1;
  while (at < to) {
    if (inString) {
      at = skipString(bytes, at);
      if (at >= to) break;
      at++;
      inString = false;
      if (depth === 0) {
        end = at;
        break;
      }
    }
    while (at < to) {
      const kind = kinds[bytes[at++]!];
      if (kind === plain) continue;
      if (kind === quote) {
        inString = true;
        break;
      }
      if (kind === colon) keys++;
      else if (kind === comma) values++;
      else if (kind === lineFeed) lines++;
      else if (kind === open) {
        values++;
        deepest = Math.max(deepest, ++depth);
      } else if (--depth === 0) {
        end = at;
        break;
      }
    }
    if (end !== -1) break;
  }
  scan.depth = depth;
  scan.deepest = deepest;
  scan.inString = inString;
  scan.escaped = at > to;
  scan.lines = lines;
  scan.keys = keys;
  scan.values = values;
  return end;
}

/**
 * The index of the closing quote; if there is none, `bytes.length` or one more (after a backslash at the very
 * end).
 */
function skipString(bytes: Uint8Array, from: number): number {
  const to = bytes.length;
  let at = from;
  while (at < to) {
    const byte = bytes[at];
    if (byte === 0x22) return at;
    at += byte === 0x5c ? 2 : 1;
  }
  return at;
}

const ends = kindsOf(Object.fromEntries([...",:{}[] \t\r\n"].map((character) => [character, 1])));

/** Continues in a number or a word. Returns the index just after it, or -1 if it may continue after `bytes`. */
export function skipScalar(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) if (ends[bytes[at]!] === 1) return at;
  return -1;
}
