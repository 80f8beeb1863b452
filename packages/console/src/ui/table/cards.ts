/** A column's place in a card, of a table with `cards`. */
export interface Placed {
  /**
   * The card's title, the state at the end of the title's line, a whole line, or none. By default half a line with
   * the header and the value, in the order of the columns.
   */
  card?: "title" | "state" | "line" | "hidden";
}

type Place = NonNullable<Placed["card"]> | "half";

/** The first line's columns, then the others in their order. Hidden ones are left out. */
export function cardColumns<Column extends Placed>(columns: readonly Column[]): Column[] {
  const at = (...places: Place[]) => columns.filter((column) => places.includes(placeOf(column)));
  return [...at("title"), ...at("state"), ...at("half", "line")];
}

export const placeOf = ({ card }: Placed): Place => card ?? "half";

/** The height of a card in pixels, as in `.cards`: its lines, and what is around them. */
export function cardHeight(columns: readonly Placed[]): number {
  let halves = 0;
  for (const column of columns) {
    const place = placeOf(column);
    if (place === "half") halves += 1;
    // A whole line leaves the rest of the previous one free.
    if (place === "line") halves += 2 + (halves % 2);
  }
  return 18 + 22 * (1 + Math.ceil(halves / 2));
}
