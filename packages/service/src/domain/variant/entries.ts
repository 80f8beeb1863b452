/** Sets fields of the entry with the same identifier, or appends the entry when the list has none. */
export function withEntry<Entry extends { identifier: string }>(
  list: readonly Entry[],
  entry: Entry,
): Entry[] {
  const place = list.findIndex(({ identifier }) => identifier === entry.identifier);
  const before = list[place];
  return before === undefined ? [...list, entry] : list.with(place, { ...before, ...entry });
}
