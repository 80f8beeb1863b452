// biome-ignore-all lint/a11y/useSemanticElements: rows that are not rendered cannot be in a <table>.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active row.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys are handled by the grid.
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { classNames } from "../class-names.ts";
import { type RowWindow, useRowWindow } from "./row-window.ts";
import type { Rows } from "./rows.ts";
import styles from "./table.module.css";

/** A column of a table. */
export interface Column<Row> {
  header: string;
  /** The width in rem, or the least one of a column that grows. */
  width: number;
  /** The part of the free width that the column takes; without it, none. */
  grow?: number;
  /** True for figures: they end at the same edge. */
  isFigure?: boolean;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  /** The name of the table for those who do not see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: Rows<Row>;
  /** Opens a row: by Enter, or a click on it. */
  onOpen?: (row: Row) => void;
  className?: string;
}

/**
 * A table that is driven by the keyboard: arrows, Page Up and Down, Home and End choose a row, Enter opens it. Only the
 * rows that are seen are rendered. Links in cells have `tabIndex={-1}`: the table is one stop of the Tab key.
 */
export function Table<Row>({ label, columns, rows, onOpen, className }: TableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const view = useRowWindow(scroller, rows.count);
  const { active, setActive, onKeyDown } = useActiveRow(rows, view, onOpen);
  const id = useId();
  const { first, end } = view;
  const { onSeen } = rows;
  useEffect(() => onSeen(first, end), [onSeen, first, end]);
  const places = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.count + 1}
      aria-activedescendant={active >= first && active < end ? `${id}-${active}` : undefined}
      tabIndex={0}
      className={classNames(styles.table, className)}
      onKeyDown={onKeyDown}
    >
      <Header columns={columns} />
      <div role="rowgroup" className={styles.body} style={{ ...leastWidth(columns), height: view.height }}>
        {places.map((place) => (
          <TableRow
            key={place}
            id={`${id}-${place}`}
            columns={columns}
            row={rows.at(place)}
            place={place}
            offset={view.offsetOf(place)}
            isActive={place === active}
            onChoose={() => setActive(place)}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  );
}

/** The row that the keyboard has chosen, and the keys that choose another. */
function useActiveRow<Row>(rows: Rows<Row>, view: RowWindow, onOpen: TableProps<Row>["onOpen"]) {
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, rows.count - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = nextRow(event.key, active, view.seen);
    const row = rows.at(active);
    if (event.key === "Enter" && event.target === event.currentTarget && row !== undefined) onOpen?.(row);
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey || rows.count === 0) return;
    event.preventDefault();
    const place = Math.min(Math.max(target, 0), rows.count - 1);
    setActive(place);
    view.reveal(place);
  };
  return { active, setActive, onKeyDown };
}

/** Space between columns, and at both ends of a row, in pixels. */
const [gap, edge] = [14, 16];

const template = (columns: readonly Column<never>[]) => ({
  gridTemplateColumns: columns
    .map(({ width, grow }) => (grow === undefined ? `${width}rem` : `minmax(${width}rem, ${grow}fr)`))
    .join(" "),
});

/** The width below which a table scrolls sideways. */
const leastWidth = (columns: readonly Column<never>[]) => ({
  minWidth: `calc(${columns.reduce((sum, { width }) => sum + width, 0)}rem + ${(columns.length - 1) * gap + 2 * edge}px)`,
});

const Header = ({ columns }: { columns: readonly Column<never>[] }) => (
  <div
    role="row"
    aria-rowindex={1}
    className={classNames(styles.row, styles.header)}
    style={{ ...template(columns), ...leastWidth(columns) }}
  >
    {columns.map(({ header, isFigure }) => (
      <div role="columnheader" key={header} className={isFigure ? styles.end : undefined}>
        {header}
      </div>
    ))}
  </div>
);

interface TableRowProps<Row> {
  id: string;
  columns: readonly Column<Row>[];
  row: Row | undefined;
  place: number;
  offset: number;
  isActive: boolean;
  onChoose: () => void;
  onOpen: ((row: Row) => void) | undefined;
}

function TableRow<Row>({ id, columns, row, place, offset, isActive, onChoose, onOpen }: TableRowProps<Row>) {
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={place + 2}
      aria-selected={isActive}
      className={classNames(styles.row, isActive && styles.active)}
      style={{ ...template(columns), transform: `translateY(${offset}px)` }}
      onMouseDown={onChoose}
      onClick={(event) => row !== undefined && isOpening(event) && onOpen?.(row)}
    >
      {columns.map(({ header, isFigure, cell }) => (
        <div role="gridcell" key={header} className={isFigure ? styles.end : undefined}>
          {row === undefined ? <div className={styles.pending} /> : cell(row)}
        </div>
      ))}
    </div>
  );
}

function nextRow(key: string, active: number, seen: number): number | undefined {
  if (key === "ArrowDown") return active + 1;
  if (key === "ArrowUp") return active - 1;
  if (key === "PageDown") return active + seen;
  if (key === "PageUp") return active - seen;
  if (key === "Home") return 0;
  return key === "End" ? Number.POSITIVE_INFINITY : undefined;
}

/** False for a click on something of its own in the row, and at the end of selecting a text. */
function isOpening(event: MouseEvent): boolean {
  const isOwn = event.target instanceof Element && event.target.closest("a, button, input") !== null;
  return !isOwn && getSelection()?.isCollapsed !== false;
}
