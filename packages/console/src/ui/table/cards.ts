import type { Column } from "./table.tsx";

type Place = NonNullable<Column<never>["card"]> | "half";

/** The first line's columns, then the others in their order. Hidden ones are left out. */
export function cardColumns<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  const at = (place: Place) => columns.filter((column) => placeOf(column) === place);
  const others = columns.filter((column) => ["half", "line"].includes(placeOf(column)));
  return [...at("title"), ...at("state"), ...others];
}

export const placeOf = ({ card }: Pick<Column<never>, "card">): Place => card ?? "half";

/** The height of a card in pixels, as in `.card`: its lines, and what is around them. */
export function cardHeight(columns: readonly Pick<Column<never>, "card">[]): number {
  let halves = 0;
  for (const column of columns) {
    const place = placeOf(column);
    if (place === "half") halves += 1;
    // A whole line leaves the rest of the previous one free.
    if (place === "line") halves += 2 + (halves % 2);
  }
  return 18 + 22 * (1 + Math.ceil(halves / 2));
}
