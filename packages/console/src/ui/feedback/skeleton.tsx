import styles from "./feedback.module.css";

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
