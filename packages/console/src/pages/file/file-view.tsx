import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { messageOf, Refused } from "../../api/errors.ts";
import { Empty, ErrorNote, Skeleton } from "../../ui/feedback/feedback.tsx";
import { numberText, percentText } from "../../ui/format.ts";
import styles from "./file.module.css";
import { useFileWindow } from "./file-window.ts";
import { layoutOf } from "./layout.ts";
import { firstLine, type KnownLine, lineOfFirst, withLines } from "./line-numbers.ts";
import { Lines } from "./lines.tsx";
import type { Note, Span } from "./note.ts";
import { partBytes } from "./ranges.ts";
import { type Goal, useRowScroll } from "./row-scroll.ts";
import { cutIntoRows, type FileRows } from "./rows.ts";
import { Ruler } from "./ruler.tsx";

interface FileViewProps {
  tenant: string;
  task: string;
  goal: Goal;
  /** Ordered by offset. */
  notes: readonly Note[];
  /** The id of the selected note. */
  current: string | undefined;
  lines: readonly KnownLine[];
  /** The bytes of the requested operation. */
  span: Span | undefined;
  /** Receives the offset of the first visible row. */
  onSeen: (offset: number) => void;
  onJump: (offset: number) => void;
}

/** A file of any size: the part around a position, with notes below the rows they are about. */
export function FileView({ tenant, task, goal, notes, current, lines, span, onSeen, onJump }: FileViewProps) {
  const scroller = useRef<HTMLElement>(null);
  const [position, setPosition] = useState({ goal, offset: goal.offset });
  const offset = position.goal === goal ? position.offset : goal.offset;
  const { loaded, error, size, refetch } = useFileWindow(tenant, task, offset);
  const gutter = numberText(size ?? 0).length + 3;
  const { rowBytes, probe, onWidth } = useRowBytes(gutter);
  const rows = useMemo(() => loaded && cutIntoRows(loaded, rowBytes), [loaded, rowBytes]);
  const layout = useMemo(() => rows && layoutOf(rows, notes), [rows, notes]);
  const lineNumber = useLineNumber(rows, lines);
  const onScroll = (byte: number) => {
    onSeen(byte);
    setPosition({ goal, offset: byte });
  };
  const { top, view, width } = useRowScroll(scroller, { rows, layout, goal, onSeen: onScroll });
  useEffect(() => onWidth(width), [onWidth, width]);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = { Home: 0, End: size }[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onJump(target);
  };
  return (
    <div className={styles.view}>
      <div className={styles.sheet}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard. */}
        <section ref={scroller} tabIndex={0} aria-label="File" className={styles.text} onKeyDown={onKeyDown}>
          {probe}
          {error !== null && <NoFile error={error} onRetry={refetch} />}
          {rows !== undefined && layout !== undefined ? (
            <Lines {...{ rows, layout, notes, current, span, lineNumber, gutter, top, view }} />
          ) : (
            error === null && <Skeleton lines={12} />
          )}
        </section>
        {size !== undefined && <Ruler {...{ size, offset, notes, onJump }} />}
      </div>
      {size !== undefined && <Foot offset={offset} size={size} />}
    </div>
  );
}

/** The bytes per row while the page's width is unknown; also the minimum. */
const [usualRowBytes, leastRowBytes] = [100, 40];

/** Characters between the gutter and the text, and at the end of a row. */
const edges = 4;

const probed = 100;

/** The bytes that fit into a row next to the gutter, by the width of a character, which `probe` measures. */
function useRowBytes(gutter: number) {
  const element = useRef<HTMLSpanElement>(null);
  const [columns, setColumns] = useState(usualRowBytes);
  const onWidth = useCallback((width: number) => {
    const character = (element.current?.offsetWidth ?? 0) / probed;
    if (width > 0 && character > 0) setColumns(Math.floor(width / character));
  }, []);
  const probe = (
    <span ref={element} className={styles.probe} aria-hidden="true">
      {"0".repeat(probed)}
    </span>
  );
  return { rowBytes: Math.max(leastRowBytes, columns - gutter - edges), probe, onWidth };
}

/** Returns a row's line number, or undefined if it is unknown. */
function useLineNumber(rows: FileRows | undefined, lines: readonly KnownLine[]) {
  const [known, setKnown] = useState(firstLine);
  const remembered = useMemo(() => (rows === undefined ? [] : partStarts(rows)), [rows]);
  const first = useMemo(
    () => rows && lineOfFirst(rows, lines, { known, remembered }),
    [rows, lines, known, remembered],
  );
  if (rows !== undefined && first !== undefined) {
    const next = withLines(known, rows, { first, remembered });
    if (next !== known) setKnown(next);
  }
  return (row: number) => (first === undefined ? undefined : first + (rows?.breaks[row] ?? 0));
}

function partStarts({ start, bytes }: FileRows): number[] {
  const starts: number[] = [];
  for (let at = start; at <= start + bytes.length; at += partBytes) starts.push(at);
  return starts;
}

const Foot = ({ offset, size }: { offset: number; size: number }) => (
  <p className={styles.foot}>
    <span>
      Byte {numberText(Math.min(offset, size))} of {numberText(size)}
      {size > partBytes && ` · ${percentText(offset, size)}`}
    </span>
    <span>
      <b>↳</b> continued line · <b>@</b> byte offset
    </span>
  </p>
);

/** The service's statuses for a file with nothing to show. */
const titles: Readonly<Record<string, string>> = {
  404: "File not found",
  410: "The file was removed",
  416: "The file is empty",
};

function NoFile({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const title = error instanceof Refused ? titles[error.errorName] : undefined;
  if (title === undefined) return <ErrorNote error={error} onRetry={onRetry} />;
  return <Empty title={title}>{messageOf(error)}</Empty>;
}
