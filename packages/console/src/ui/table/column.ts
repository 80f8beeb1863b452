import type { ReactNode } from "react";

/** A column of a table. */
export interface Column<Row> {
  header: string;
  /** The width in rem, or the least one of a column that grows. */
  width: number;
  /** The part of the free width that the column takes; without it, none. */
  grow?: number;
  /** True for figures: they end at the same edge. */
  isFigure?: boolean;
  /** True for what is left out where not all columns fit, because the row's own page has it. */
  isExtra?: boolean;
  cell: (row: Row) => ReactNode;
}
