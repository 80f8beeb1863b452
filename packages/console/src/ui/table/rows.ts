/** The rows of a table, of which those that are seen are loaded. */
export interface Rows<Row> {
  /** The number of rows as far as it is known. */
  count: number;
  /** A row by its place; undefined while it is being loaded. */
  at(place: number): Row | undefined;
  /** Is told which rows are seen: from `first` to before `end`. */
  onSeen(first: number, end: number): void;
  /** The reason why rows cannot be loaded. */
  error: unknown;
  /** True until it is known whether there are any. */
  isLoading: boolean;
  /** Loads the rows again that are seen. */
  refetch(): void;
}
