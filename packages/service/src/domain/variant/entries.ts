/** A list with some fields of one of its entries set; an entry that is not there is added. */
export function withEntry<Entry extends { identifier: string }>(
  list: readonly Entry[],
  entry: Entry,
): Entry[] {
  const place = list.findIndex(({ identifier }) => identifier === entry.identifier);
  const known = list[place];
  return known === undefined ? [...list, entry] : list.with(place, { ...known, ...entry });
}
