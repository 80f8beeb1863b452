import { type RefObject, useEffect } from "react";

/** Binds `/` to a filter, or to the first one in an element, except in text fields. */
export function useFilterShortcut(filter: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (
        event.target instanceof Element &&
        event.target.closest("input, textarea, select, [contenteditable]")
      )
        return;
      event.preventDefault();
      const within = filter.current?.querySelector<HTMLElement>("input, select");
      (within ?? filter.current)?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [filter]);
}
