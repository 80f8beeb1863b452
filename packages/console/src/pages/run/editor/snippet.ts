/** A text to insert, and the range of it to select. */
interface Insertion {
  text: string;
  from: number;
  to: number;
}

/** An escaped character, a placeholder, perhaps with a default or choices, or any other character. */
const part =
  /\\(?<escaped>[\\$}])|\$(?:(?<bare>\d+)|\{(?<number>\d+)(?::(?<value>(?:\\.|[^\\}])*)|\|(?<choices>[^|]*)\|)?\})|./gs;

/**
 * Reads a snippet of the language server protocol: `"name": "$1"`, `${1:true}`. Selects the first
 * placeholder, or else the end.
 */
export function insertionOf(snippet: string): Insertion {
  let text = "";
  const positions: { number: number; from: number; to: number }[] = [];
  for (const { 0: whole, groups = {} } of snippet.matchAll(part)) {
    const number = groups.bare ?? groups.number;
    const from = text.length;
    if (number === undefined) text += groups.escaped ?? whole;
    else {
      text += groups.value?.replace(/\\(.)/g, "$1") ?? groups.choices?.split(",")[0] ?? "";
      // The final tab stop is number 0.
      positions.push({ number: Number(number) || Number.POSITIVE_INFINITY, from, to: text.length });
    }
  }
  const [first] = positions.sort((one, other) => one.number - other.number);
  return { text, from: first?.from ?? text.length, to: first?.to ?? text.length };
}
