import type { ReactNode } from "react";
import { messageOf, Refused } from "../../api/errors.ts";
import { Button } from "../input/button.tsx";
import { Command } from "../values/id.tsx";
import styles from "./feedback.module.css";

/** A refusal and its reason, with a retry button if that may help. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div className={styles.error} role="alert">
      {error instanceof Refused && <strong>{error.errorName}</strong>}
      <span>{messageOf(error)}</span>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Placeholder lines while something loads. They appear after 300 milliseconds, so that nothing flickers. */
export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => `line ${i}`).map((key) => (
        <span key={key} />
      ))}
    </div>
  );
}

export function Empty({
  title,
  children,
  command,
}: {
  title: string;
  children?: ReactNode;
  command?: string;
}) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <Command text={command} />}
    </div>
  );
}
