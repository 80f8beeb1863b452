import { type ErrorComponentProps, Link, Navigate, useRouter } from "@tanstack/react-router";
import { SignedOut } from "../api/errors.ts";
import { ErrorNote, Skeleton } from "../ui/feedback/feedback.tsx";
import styles from "./frame.module.css";
import { useRouteTitle } from "./page-title.ts";
import { isPartFailure, PartFailure } from "./part-failure.tsx";

/** Placeholder for a page that is loading. Like every page, it has a heading. */
export const PagePending = () => (
  <>
    <h1 className="visually-hidden">{useRouteTitle() ?? "Lading"}</h1>
    <Skeleton lines={12} />
  </>
);

/** Placeholder for a page that cannot be shown; an ended session redirects to the sign-in page. */
export function PageError({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (isPartFailure(error)) return <PartFailure />;
  if (error instanceof SignedOut)
    return <Navigate to="/sign-in" search={{ then: router.state.location.href }} />;
  return (
    <PageFailure title="This page cannot be shown" error={error} onRetry={() => void router.invalidate()} />
  );
}

/** A page with nothing to show, and the reason. */
const PageFailure = ({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) => (
  <div className={styles.note}>
    <h1>{title}</h1>
    <ErrorNote error={error} onRetry={onRetry} />
  </div>
);

interface PendingProps {
  query: { error: unknown; refetch: () => unknown };
  /** In place of a page: its heading if it fails. */
  title?: string;
  lines?: number;
}

/** In place of what a query reads: a placeholder until it has, or why it cannot. */
export function Pending({ query: { error, refetch }, title, lines = 12 }: PendingProps) {
  const note = { error, onRetry: () => void refetch() };
  if (error === null) return title === undefined ? <Skeleton lines={lines} /> : <PagePending />;
  return title === undefined ? <ErrorNote {...note} /> : <PageFailure title={title} {...note} />;
}

/** Placeholder for a page that does not exist. */
export const NotFound = () => (
  <div className={styles.note}>
    <h1>Page not found</h1>
    <p>
      <Link to="/">Go to the home page</Link>
    </p>
  </div>
);
