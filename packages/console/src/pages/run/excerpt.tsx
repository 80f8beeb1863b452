import { useEffect, useRef, useState } from "react";
import { classNames } from "../../ui/class-names.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { numberText } from "../../ui/format.ts";
import { type ExcerptLine, excerptBytes, excerptLines, type FilePosition } from "./excerpt-lines.ts";
import styles from "./run.module.css";

/** The lines around a position of a file, of which only these are read. */
export function Excerpt({
  json,
  position,
  isMarked,
}: {
  json: Blob;
  position: FilePosition;
  isMarked: boolean;
}) {
  const { lines, error } = useExcerpt(json, position);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (lines.length > 0) section.current?.querySelector("mark")?.scrollIntoView({ block: "center" });
  }, [lines]);
  if (error !== undefined) return <ErrorNote error={error} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard.
    <section ref={section} className={styles.excerpt} aria-label="Lines of the file" tabIndex={0}>
      {lines.map((line) => (
        <Line
          key={line.number}
          line={line}
          position={isMarked && line.number === position.line ? position : undefined}
        />
      ))}
    </section>
  );
}

function Line({
  line: { number, text, column, isCut },
  position,
}: {
  line: ExcerptLine;
  position: FilePosition | undefined;
}) {
  const at = position === undefined ? text.length : position.column - column;
  return (
    <div className={classNames(styles.line, position && styles.marked)}>
      <span>{numberText(number)}</span>
      <code>
        {column > 1 && "… "}
        {text.slice(0, at)}
        {position !== undefined && <mark>{text.charAt(at) || " "}</mark>}
        {text.slice(at + 1)}
        {isCut && " …"}
      </code>
    </div>
  );
}

function useExcerpt(json: Blob, position: FilePosition) {
  const [read, setRead] = useState<{ lines: ExcerptLine[]; error?: unknown }>({ lines: [] });
  useEffect(() => {
    let isWanted = true;
    const start = Math.max(0, position.offset - excerptBytes);
    json
      .slice(start, position.offset + excerptBytes)
      .arrayBuffer()
      .then((bytes) => ({ lines: excerptLines(new Uint8Array(bytes), start, position) }))
      .catch((error: unknown) => ({ lines: [], error }))
      .then((next) => isWanted && setRead(next));
    return () => {
      isWanted = false;
    };
  }, [json, position]);
  return read;
}
