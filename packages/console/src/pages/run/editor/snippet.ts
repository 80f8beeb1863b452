/** A text to insert, and what of it is to be selected, as offsets in it. */
interface Insertion {
  text: string;
  from: number;
  to: number;
}

/** An escaped character, a place to type at, with a default or choices perhaps, or any other character. */
const part =
  /\\(?<escaped>[\\$}])|\$(?:(?<bare>\d+)|\{(?<number>\d+)(?::(?<value>(?:\\.|[^\\}])*)|\|(?<choices>[^|]*)\|)?\})|./gs;

/**
 * Reads a snippet of the language server protocol: `"name": "$1"`, `${1:true}`. What is selected is the first place to
 * type at, else the end.
 */
export function insertionOf(snippet: string): Insertion {
  let text = "";
  const places: { number: number; from: number; to: number }[] = [];
  for (const { 0: whole, groups = {} } of snippet.matchAll(part)) {
    const number = groups.bare ?? groups.number;
    const from = text.length;
    if (number === undefined) text += groups.escaped ?? whole;
    else {
      text += groups.value?.replace(/\\(.)/g, "$1") ?? groups.choices?.split(",")[0] ?? "";
      // The last place, where typing ends, has the number 0.
      places.push({ number: Number(number) || Number.POSITIVE_INFINITY, from, to: text.length });
    }
  }
  const [first] = places.sort((one, other) => one.number - other.number);
  return { text, from: first?.from ?? text.length, to: first?.to ?? text.length };
}
