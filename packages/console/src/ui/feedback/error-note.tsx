import { messageOf, Refused } from "../../api/errors.ts";
import { Button } from "../input/button.tsx";
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
