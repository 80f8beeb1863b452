import { CatchBoundary } from "@tanstack/react-router";
import { type ComponentProps, lazy, Suspense, useEffect, useState } from "react";
import frameStyles from "../layout/frame.module.css";
import { classNames } from "../ui/class-names.ts";
import inputStyles from "../ui/input/input.module.css";
import styles from "./search.module.css";

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The state of the search. Ctrl-K opens it, on a Mac ⌘K, unless a dialog waits for an answer. */
export function useSearch() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
      if (
        key.toLowerCase() !== "k" ||
        altKey ||
        shiftKey ||
        (isMac ? !metaKey || ctrlKey : !ctrlKey || metaKey)
      )
        return;
      event.preventDefault();
      if (document.querySelector("[role=alertdialog]") === null) setOpen(true);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

export const SearchButton = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    className={classNames(inputStyles.control, styles.button)}
    aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
    onClick={onClick}
  >
    <svg className={styles.glass} viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true">
      <circle cx="6" cy="6" r="4" strokeWidth="1.4" />
      <path d="m9 9 3.5 3.5" strokeWidth="1.6" />
    </svg>
    <span>Search</span> <kbd>{isMac ? "⌘K" : "Ctrl K"}</kbd>
  </button>
);

const Dialog = lazy(() => import("./dialog.tsx").then(({ Dialog }) => ({ default: Dialog })));

/** The search over the page, once its script is there. */
export const SearchDialog = (props: ComponentProps<typeof Dialog>) => (
  <CatchBoundary
    getResetKey={() => 0}
    errorComponent={() => (
      <p className={classNames(frameStyles.away, styles.missing)} role="alert">
        The search could not be loaded.
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </p>
    )}
  >
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  </CatchBoundary>
);
