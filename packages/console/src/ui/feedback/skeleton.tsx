import styles from "./feedback.module.css";

/** Lines in the place of what is being loaded. They appear after 300 milliseconds, so that nothing flickers. */
export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => `line ${i}`).map((key) => (
        <span key={key} />
      ))}
    </div>
  );
}
