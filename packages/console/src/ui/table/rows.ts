/** The rows of a table, of which only visible ones are loaded. */
export interface Rows<Row> {
  /** The number of rows known so far. */
  count: number;
  /** A row by its number; undefined while it is loading. */
  at(place: number): Row | undefined;
  /** Called with the visible rows: from `first` to before `end`. */
  onSeen(first: number, end: number): void;
  /** Why rows cannot be loaded. */
  error: unknown;
  /** True until it is known whether there are any. */
  isLoading: boolean;
  /** Refetches the visible rows. */
  refetch(): void;
}
