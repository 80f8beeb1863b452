import type { PointerEvent } from "react";
import styles from "./file.module.css";
import type { Note } from "./note.ts";

/** The whole file from top to bottom, with its notes and the visible position; a click scrolls there. */
export function Ruler({
  size,
  offset,
  notes,
  onJump,
}: {
  size: number;
  offset: number;
  notes: readonly Note[];
  onJump: (offset: number) => void;
}) {
  const share = (byte: number) => (size === 0 ? 0 : (byte / size) * 1_000);
  const path = (severity: Note["severity"], width: number) =>
    notes
      .filter((note) => note.severity === severity)
      .map((note) => `M${10 - width} ${share(note.offset).toFixed(1)}h${width}`)
      .join("");
  const jump = ({ clientY, currentTarget }: PointerEvent) => {
    const { top, height } = currentTarget.getBoundingClientRect();
    onJump(Math.round(Math.min(1, Math.max(0, (clientY - top) / height)) * size));
  };
  return (
    <div
      aria-hidden="true"
      className={styles.ruler}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        jump(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && jump(event)}
    >
      <svg viewBox="0 0 10 1000" preserveAspectRatio="none" aria-hidden="true">
        <path className={styles.warning} d={path("warning", 5)} />
        <path className={styles.error} d={path("error", 10)} />
      </svg>
      <span style={{ top: `${share(Math.min(offset, size)) / 10}%` }} />
    </div>
  );
}
