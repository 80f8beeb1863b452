import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Layout, Marker } from "./layout.ts";
import { type FileRows, offsetOf, rowAt } from "./rows.ts";

/** The height of a row in pixels, as `.line` has it. */
export const rowHeight = 20;

/** A place to scroll to; the same one again is another object. */
export interface Goal {
  offset: number;
}

interface Scrolled {
  rows: FileRows | undefined;
  layout: Layout<Marker> | undefined;
  goal: Goal;
  /** Is told the offset of the first row that is seen. */
  onSeen: (offset: number) => void;
}

/**
 * Scrolls to a goal and, once the reader has left it, keeps the row at the top in its place while rows come and go
 * above it. Returns what is seen, in pixels.
 */
export function useRowScroll(scroller: RefObject<HTMLElement | null>, scrolled: Scrolled) {
  const { rows, layout, goal } = scrolled;
  const [seen, setSeen] = useState({ top: 0, view: 0, width: 0 });
  const anchor = useRef({ offset: 0, within: 0 });
  // The goal that the reader has scrolled away from: another one is kept in view when rows change.
  const left = useRef<Goal>(undefined);
  const scrolledTo = useRef(0);
  const latest = useRef(scrolled);
  latest.current = scrolled;

  const measure = useCallback(() => {
    const element = scroller.current;
    const { rows, layout, onSeen } = latest.current;
    if (element === null) return;
    const next = { top: element.scrollTop, view: element.clientHeight, width: element.clientWidth };
    setSeen((now) => (isSame(now, next) ? now : next));
    if (rows === undefined || layout === undefined) return;
    const row = rowFrom(rows, layout, Math.floor(next.top / rowHeight));
    anchor.current = { offset: offsetOf(rows, row), within: next.top - layout.placeOf(row) * rowHeight };
    onSeen(anchor.current.offset);
  }, [scroller]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || rows === undefined || layout === undefined) return;
    const { offset, within } = anchor.current;
    const topOf = (byte: number) => layout.placeOf(rowAt(rows, byte)) * rowHeight;
    element.scrollTop =
      goal === left.current ? topOf(offset) + within : topOf(goal.offset) - element.clientHeight / 3;
    scrolledTo.current = element.scrollTop;
    measure();
  }, [scroller, rows, layout, goal, measure]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = () => {
      // Without rows, the browser has scrolled and not the reader: they have given way to those of the goal.
      const { rows, goal } = latest.current;
      if (rows !== undefined && Math.abs(element.scrollTop - scrolledTo.current) > 1) left.current = goal;
      measure();
    };
    return watch(element, { onSize: measure, onScroll });
  }, [scroller, measure]);
  return seen;
}

/** Calls back when an element is scrolled or changes its size, until the returned function is called. */
function watch(element: HTMLElement, { onSize, onScroll }: { onSize: () => void; onScroll: () => void }) {
  const observer = new ResizeObserver(onSize);
  observer.observe(element);
  element.addEventListener("scroll", onScroll, { passive: true });
  return () => {
    observer.disconnect();
    element.removeEventListener("scroll", onScroll);
  };
}

interface Seen {
  top: number;
  view: number;
  width: number;
}

const isSame = (one: Seen, other: Seen) =>
  one.top === other.top && one.view === other.view && one.width === other.width;

/** The row of the file at a place of the list, or the one that a marker there belongs to. */
function rowFrom(rows: FileRows, layout: Layout<Marker>, place: number): number {
  const found = layout.at(Math.min(place, layout.count - 1));
  return "row" in found ? found.row : rowAt(rows, found.marker.offset);
}
