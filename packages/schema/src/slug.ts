/** Longest segment made from a name, in characters: a database index entry has room for it. */
const longestSegment = 200;

/** Letters that no Unicode normalisation decomposes. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ı: "i",
};

/**
 * Turns a name into a path segment: lower-case words of a–z and 0–9 joined by dashes, with accents removed.
 * Returns an empty text if no such letter is left, as for a name in Chinese.
 */
export function slug(name: string, longest = longestSegment): string {
  const text = fold(name)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return text.length <= longest ? text : text.slice(0, longest).replace(/-$/, "");
}

function fold(name: string): string {
  const lower = name.toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => spelledOut[letter] ?? letter);
}
