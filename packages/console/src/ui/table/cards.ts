/** A column's slot in a card, of a table with `cards`. */
export interface Slotted {
  /**
   * The card's title, the state at the end of the title's line, a whole line, or none. By default half a line with
   * the header and the value, in the order of the columns.
   */
  card?: "title" | "state" | "line" | "hidden";
}

type Slot = NonNullable<Slotted["card"]> | "half";

/** The first line's columns, then the others in their order. Hidden ones are left out. */
export function cardColumns<Column extends Slotted>(columns: readonly Column[]): Column[] {
  const at = (...slots: Slot[]) => columns.filter((column) => slots.includes(slotOf(column)));
  return [...at("title"), ...at("state"), ...at("half", "line")];
}

export const slotOf = ({ card }: Slotted): Slot => card ?? "half";

/** The height of a card in pixels, as in `.cards`: its lines, and what is around them. */
export function cardHeight(columns: readonly Slotted[]): number {
  let halves = 0;
  for (const column of columns) {
    const slot = slotOf(column);
    if (slot === "half") halves += 1;
    // A whole line leaves the rest of the previous one free.
    if (slot === "line") halves += 2 + (halves % 2);
  }
  return 18 + 22 * (1 + Math.ceil(halves / 2));
}
