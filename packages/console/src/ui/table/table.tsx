// biome-ignore-all lint/a11y/useSemanticElements: rows that are not rendered cannot be in a <table>.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active row.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys are handled by the grid.
// biome-ignore-all lint/a11y/noStaticElementInteractions: the role of the grid depends on what its rows have.
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: both roles support what it has.

import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { classNames } from "../class-names.ts";
import { ErrorNote, Skeleton } from "../feedback/feedback.tsx";
import { cardColumns, cardHeight, type Slotted, slotOf } from "./cards.ts";
import type { Rows } from "./paged-rows.ts";
import { type Heights, type RowWindow, useRowWindow } from "./row-window.ts";
import styles from "./table.module.css";

export interface Column<Row> extends Slotted {
  header: string;
  /** The width in rem, or the minimum width of a growing column. */
  width: number;
  /** The column's share of the free width; default none. */
  grow?: number;
  /** True for figures, which are right-aligned. */
  isFigure?: boolean;
  /** True if the column may be dropped when space is short, because the row's own page shows it. */
  isExtra?: boolean;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: Rows<Row>;
  /** Opens a row, on Enter or a click. */
  onOpen?: (row: Row) => void;
  /** Shows a detail below a row, instead of opening it. Changing the table's `key` closes all rows. */
  detail?: (row: Row) => ReactNode;
  /**
   * Shows each row as a card if the table is narrower than 700 pixels, with the same keys. One column should be
   * the card's `title`, and each column says its slot by `card`. A card's lines are one text line high.
   */
  cards?: boolean;
  /** A switch to follow the last row as rows are added, as after End. */
  following?: Following | undefined;
}

export interface Following {
  isOn: boolean;
  /** Called when the reader goes elsewhere, or to the end. */
  change(isOn: boolean): void;
}

/** A table that fills its page; until its rows are known, and if there are none, what says so. */
export function Table<Row>({ empty, ...table }: TableProps<Row> & { empty?: ReactNode }) {
  const { rows } = table;
  if (rows.isLoading) return <Skeleton lines={12} />;
  if (rows.error !== null && rows.count === 0) return <ErrorNote error={rows.error} onRetry={rows.refetch} />;
  return rows.count === 0 && empty !== undefined ? empty : <Grid {...table} />;
}

/**
 * A table with keyboard navigation: arrows, Page Up and Down, Home and End select a row, Enter opens it. Only
 * visible rows are rendered. Links in cells have `tabIndex={-1}`: the table is one Tab stop. With details,
 * the right and left arrows show and hide a row's detail. After End, it follows the last row as rows are added,
 * until another key or a scroll.
 */
function Grid<Row>({ label, columns: all, rows, onOpen, ...looks }: TableProps<Row>) {
  const { detail, cards, following } = looks;
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, heights, isCards } = useLayout(scroller, all, cards);
  const { details, toggle, heightOf, onHeight } = useDetails();
  const view = useRowWindow(scroller, heights, { count: rows.count, details });
  const open = (row: Row, index: number) => (detail === undefined ? onOpen?.(row) : toggle(index));
  const { active, setActive, ...keys } = useActiveRow(rows, view, {
    open,
    heightOf,
    toggle: detail && toggle,
    following,
  });
  const id = useId();
  const { first, end } = view;
  const { onSeen } = rows;
  useEffect(() => onSeen(first, end), [onSeen, first, end]);
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  return (
    <div
      ref={scroller}
      role={detail === undefined ? "grid" : "treegrid"}
      aria-label={label}
      aria-rowcount={rows.total === undefined ? -1 : rows.total + 1}
      aria-activedescendant={active >= first && active < end ? `${id}-${active}` : undefined}
      tabIndex={0}
      className={classNames(styles.table, isCards && styles.cards)}
      style={rowVariable(heights)}
      {...keys}
    >
      <Header columns={columns} isCards={isCards} />
      <div
        role="rowgroup"
        className={styles.body}
        style={{ ...(!isCards && leastWidth(columns)), height: view.height }}
      >
        {indexes.map((index) => (
          <TableRow
            key={index}
            id={`${id}-${index}`}
            columns={columns}
            isCard={isCards}
            row={rows.at(index)}
            index={index}
            offset={view.offsetOf(index)}
            isActive={index === active}
            onChoose={() => setActive(index)}
            onOpen={(row) => open(row, index)}
            detail={detail}
            isOpen={detail && heightOf(index) !== undefined}
            onHeight={onHeight}
          />
        ))}
      </div>
    </div>
  );
}

/** The height of a row in pixels, and of the header. */
const rowHeight = 28;

/** The width below which rows are cards, in pixels. */
const cardsBelow = 700;

/** The columns that fit, as a table or as cards, and the heights of rows. */
function useLayout<Row>(
  scroller: RefObject<HTMLElement | null>,
  all: readonly Column<Row>[],
  cards: boolean | undefined,
) {
  const width = useWidth(scroller);
  const isCards = cards === true && width < cardsBelow;
  const isNarrow = width < leastPixels(all);
  if (!isCards) {
    const columns = isNarrow ? all.filter(({ isExtra = false }) => !isExtra) : all;
    return { columns, isCards, heights: { row: rowHeight, head: rowHeight } };
  }
  const columns = cardColumns(all);
  return { columns, isCards, heights: { row: cardHeight(columns), head: 0 } };
}

const rowVariable = ({ row }: Heights) => ({ "--row": `${row}px` }) as CSSProperties;

/** The rows with a visible detail and its height, measured once it is rendered. */
function useDetails() {
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(new Map());
  const details = useMemo(
    () => [...heights].map(([index, height]) => ({ index, height })).sort((a, b) => a.index - b.index),
    [heights],
  );
  const toggle = useCallback(
    (index: number) =>
      setHeights((now) => {
        const next = new Map(now);
        if (!next.delete(index)) next.set(index, 0);
        return next;
      }),
    [],
  );
  const onHeight = useCallback(
    (index: number, height: number) =>
      setHeights((now) =>
        now.has(index) && now.get(index) !== height ? new Map(now).set(index, height) : now,
      ),
    [],
  );
  return { details, toggle, heightOf: (index: number) => heights.get(index), onHeight };
}

interface Opening<Row> {
  open: (row: Row, index: number) => void;
  heightOf: (index: number) => number | undefined;
  toggle: ((index: number) => void) | undefined;
  following: Following | undefined;
}

/** The selected row, and the keys that move the selection. */
function useActiveRow<Row>(
  rows: Rows<Row>,
  view: RowWindow,
  { open, heightOf, toggle, following }: Opening<Row>,
) {
  const [chosen, setChosen] = useState(0);
  const isAtEnd = following?.isOn ?? chosen === Number.POSITIVE_INFINITY;
  const active = isAtEnd ? rows.count - 1 : Math.min(chosen, rows.count - 1);
  const setActive = (row: number) => {
    setChosen(row);
    following?.change(row === Number.POSITIVE_INFINITY);
  };
  const revealLast = useEffectEvent(() => view.reveal(rows.count - 1));
  useEffect(() => {
    if (isAtEnd && rows.count > 0) revealLast();
  }, [isAtEnd, rows.count]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isInDetail(event.target)) return;
    const target = nextRow(event.key, active, view.seen);
    const row = rows.at(active);
    if (event.key === "Enter" && event.target === event.currentTarget && row !== undefined) open(row, active);
    if (opensDetail[event.key] === (heightOf(active) === undefined)) toggle?.(active);
    if (target === undefined || rows.count === 0) return;
    event.preventDefault();
    setActive(target === Number.POSITIVE_INFINITY ? target : Math.min(Math.max(target, 0), rows.count - 1));
    view.reveal(Math.min(Math.max(target, 0), rows.count - 1));
  };
  const stay = () => setActive(active);
  return { active, setActive, onKeyDown, onWheel: stay, onPointerDown: stay };
}

const isInDetail = (target: EventTarget) =>
  target instanceof Element && target.closest(`.${styles.detail}`) !== null;

const opensDetail: Readonly<Record<string, boolean>> = { ArrowRight: true, ArrowLeft: false };

/** Space between columns, and at both ends of a row, in pixels. */
const [gap, edge] = [14, 16];

const template = (columns: readonly Column<never>[]) => ({
  gridTemplateColumns: columns
    .map(({ width, grow }) => (grow === undefined ? `${width}rem` : `minmax(${width}rem, ${grow}fr)`))
    .join(" "),
});

const remOf = (columns: readonly Column<never>[]) => columns.reduce((sum, { width }) => sum + width, 0);
const spaceOf = (columns: readonly Column<never>[]) => (columns.length - 1) * gap + 2 * edge;

/** The width below which a table scrolls sideways. */
const leastWidth = (columns: readonly Column<never>[]) => ({
  minWidth: `calc(${remOf(columns)}rem + ${spaceOf(columns)}px)`,
});

const leastPixels = (columns: readonly Column<never>[]) =>
  remOf(columns) * Number.parseFloat(getComputedStyle(document.documentElement).fontSize) + spaceOf(columns);

const Header = ({ columns, isCards }: { columns: readonly Column<never>[]; isCards: boolean }) => (
  <div
    role="row"
    aria-rowindex={1}
    className={isCards ? "visually-hidden" : classNames(styles.row, styles.header)}
    style={isCards ? undefined : { ...template(columns), ...leastWidth(columns) }}
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
  isCard: boolean;
  row: Row | undefined;
  index: number;
  offset: number;
  isActive: boolean;
  onChoose: () => void;
  onOpen: (row: Row) => void;
  detail: TableProps<Row>["detail"];
  isOpen: boolean | undefined;
  onHeight: (index: number, height: number) => void;
}

function TableRow<Row>({
  columns,
  isCard,
  row,
  index,
  offset,
  isActive,
  onChoose,
  onOpen,
  ...rest
}: TableRowProps<Row>) {
  const { id, detail, isOpen, onHeight } = rest;
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={isActive}
      aria-expanded={isOpen}
      className={classNames(styles.row, isActive && styles.active)}
      style={{ ...(!isCard && template(columns)), transform: `translateY(${offset}px)` }}
      onMouseDown={onChoose}
      onClick={(event) => row !== undefined && isOpening(event) && onOpen(row)}
    >
      {columns.map((column) =>
        isCard ? (
          <CardCell key={column.header} column={column} row={row} />
        ) : (
          <div
            role="gridcell"
            key={column.header}
            className={column.isFigure ? styles.end : undefined}
            onMouseEnter={showWhole}
          >
            {row === undefined ? <div className={styles.pending} /> : column.cell(row)}
          </div>
        ),
      )}
      {isOpen && (
        <RowDetail index={index} columns={columns.length} onHeight={onHeight}>
          {row !== undefined && detail?.(row)}
        </RowDetail>
      )}
    </div>
  );
}

function CardCell<Row>({ column, row }: { column: Column<Row>; row: Row | undefined }) {
  const slot = slotOf(column);
  const isFirstLine = slot === "title" || slot === "state";
  return (
    <div role="gridcell" className={styles[slot]} onMouseEnter={showWhole}>
      {!isFirstLine && <span aria-hidden="true">{column.header}</span>}
      <div>{row === undefined ? <div className={styles.pending} /> : column.cell(row)}</div>
    </div>
  );
}

interface RowDetailProps {
  index: number;
  columns: number;
  onHeight: (index: number, height: number) => void;
  children: ReactNode;
}

/** A row's detail, below it. It handles its own clicks and keys. */
function RowDetail({ index, columns, onHeight, children }: RowDetailProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current === null) return;
    const { current } = element;
    const observer = new ResizeObserver(() => onHeight(index, current.offsetHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [index, onHeight]);
  return (
    <div
      ref={element}
      role="gridcell"
      aria-colspan={columns}
      className={styles.detail}
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </div>
  );
}

function showWhole({ currentTarget: cell }: MouseEvent<HTMLElement>): void {
  cell.title = cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? "") : "";
}

function nextRow(key: string, active: number, seen: number): number | undefined {
  if (key === "ArrowDown") return active + 1;
  if (key === "ArrowUp") return active - 1;
  if (key === "PageDown") return active + seen;
  if (key === "PageUp") return active - seen;
  if (key === "Home") return 0;
  return key === "End" ? Number.POSITIVE_INFINITY : undefined;
}

/** False for a click on an interactive element of the row, and at the end of a text selection. */
function isOpening(event: MouseEvent): boolean {
  const isOwn = event.target instanceof Element && event.target.closest("a, button, input") !== null;
  return !isOwn && getSelection()?.isCollapsed !== false;
}

/** The inner width of an element in pixels; 0 until it is mounted. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return;
    const measured = element.current;
    const measure = () => setWidth(measured.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
