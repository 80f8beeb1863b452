import { type ErrorComponentProps, Link, Navigate, useRouter } from "@tanstack/react-router";
import { SignedOut } from "../api/errors.ts";
import { ErrorNote } from "../ui/feedback/error-note.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import styles from "./frame.module.css";

/** Stands in for a page that is being loaded. */
export const PagePending = () => <Skeleton lines={8} />;

/** Stands in for a page that cannot be shown; a session that has ended leads to the page that signs in. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const { state } = useRouter();
  if (error instanceof SignedOut) return <Navigate to="/sign-in" search={{ then: state.location.href }} />;
  return <PageFailure title="This page cannot be shown" error={error} onRetry={reset} />;
}

/** A page that has nothing to show, with the reason. */
export const PageFailure = ({
  title,
  error,
  onRetry,
}: {
  title: string;
  error: unknown;
  onRetry: () => void;
}) => (
  <div className={styles.note}>
    <h1>{title}</h1>
    <ErrorNote error={error} onRetry={onRetry} />
  </div>
);

/** Stands in for a page that does not exist. */
export const NotFound = () => (
  <div className={styles.note}>
    <h1>There is no such page</h1>
    <p>
      <Link to="/">Go to the tasks</Link>
    </p>
  </div>
);
