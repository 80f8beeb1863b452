import { classNames } from "../../ui/class-names.ts";
import { numberText } from "../../ui/format.ts";
import { State } from "../../ui/values/state.tsx";
import styles from "./file.module.css";
import type { Layout } from "./layout.ts";
import type { Note, Span } from "./note.ts";
import { rowHeight } from "./row-scroll.ts";
import { continues, type FileRows, offsetOf, piecesOf } from "./rows.ts";

interface LinesProps {
  rows: FileRows;
  layout: Layout<Note>;
  notes: readonly Note[];
  /** The id of the selected note. */
  current: string | undefined;
  /** The bytes marked in the gutter. */
  span: Span | undefined;
  lineNumber: (row: number) => number | undefined;
  /** The width of the line numbers, in characters. */
  gutter: number;
  /** The visible pixels. */
  top: number;
  view: number;
}

/** Rows rendered beyond each end, so that scrolling shows no gap. */
const overscan = 10;

/** The visible rows of a file, with notes below the rows they are about. */
export function Lines({ rows, layout, notes, current, span, lineNumber, gutter, top, view }: LinesProps) {
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const end = Math.min(layout.count, Math.ceil((top + view) / rowHeight) + overscan);
  const marked = notes.map(({ offset }) => offset);
  const entries = Array.from({ length: Math.max(0, end - first) }, (_, i) => layout.at(first + i));
  return (
    <div className={styles.rows} style={{ ...gutterOf(gutter), height: layout.count * rowHeight }}>
      <div style={{ transform: `translateY(${first * rowHeight}px)` }}>
        {entries.map((entry) =>
          "row" in entry ? (
            <TextRow
              key={offsetOf(rows, entry.row)}
              {...{ rows, row: entry.row, marked, span, line: lineNumber(entry.row) }}
            />
          ) : (
            <NoteRow key={entry.marker.id} note={entry.marker} isCurrent={entry.marker.id === current} />
          ),
        )}
      </div>
    </div>
  );
}

/** A custom property, which React's style types do not know. */
const gutterOf = (gutter: number): object => ({ "--gutter": `${gutter}ch` });

interface TextRowProps {
  rows: FileRows;
  row: number;
  line: number | undefined;
  marked: readonly number[];
  span: Span | undefined;
}

function TextRow({ rows, row, line, marked, span }: TextRowProps) {
  const [start, end] = [offsetOf(rows, row), offsetOf(rows, row + 1)];
  const isWithin = span !== undefined && start < span.end && end > span.start;
  const number = line === undefined ? `@${numberText(start)}` : numberText(line);
  return (
    <div className={classNames(styles.line, isWithin && styles.within)}>
      <span className={styles.gutter}>{continues(rows, row) ? `↳ @${numberText(start)}` : number}</span>
      <code>
        {piecesOf(rows, row, marked).map(({ text, offset, isMarked }) =>
          isMarked ? <mark key={`${offset} marked`}>{text}</mark> : <span key={offset}>{text}</span>,
        )}
      </code>
    </div>
  );
}

const NoteRow = ({ note, isCurrent }: { note: Note; isCurrent: boolean }) => (
  <p
    className={classNames(styles.line, styles.note, styles[note.severity], isCurrent && styles.current)}
    title={note.message}
  >
    <State shape={note.severity === "error" ? "failed" : "warning"}>{note.severity}</State>
    <span className={styles.message}>{note.message}</span>
    <code>{note.pointer}</code>
  </p>
);
