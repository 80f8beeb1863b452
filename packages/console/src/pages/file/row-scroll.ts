import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { Layout, Marker } from "./layout.ts";
import { type FileRows, offsetOf, rowAt } from "./rows.ts";

/** The height of a row in pixels, as in `.line`. */
export const rowHeight = 20;

/** A position to scroll to; to scroll to the same one again, pass a new object. */
export interface Goal {
  offset: number;
}

interface Scrolled {
  rows: FileRows | undefined;
  layout: Layout<Marker> | undefined;
  goal: Goal;
  /** Receives the offset of the first visible row. */
  onSeen: (offset: number) => void;
}

/**
 * Scrolls to a goal and, once the reader has scrolled away, keeps the top row where it is while rows are
 * added and removed above it. Returns the visible pixels.
 */
export function useRowScroll(scroller: RefObject<HTMLElement | null>, scrolled: Scrolled) {
  const { rows, layout, goal, onSeen } = scrolled;
  const [seen, setSeen] = useState({ top: 0, view: 0, width: 0 });
  const anchor = useRef({ offset: 0, within: 0 });
  // The goal the reader has scrolled away from; any other goal is kept in view when rows change.
  const left = useRef<Goal>(undefined);
  const scrolledTo = useRef(0);

  const measure = useEffectEvent(() => {
    const element = scroller.current;
    if (element === null) return;
    const next = { top: element.scrollTop, view: element.clientHeight, width: element.clientWidth };
    setSeen((now) => (isSame(now, next) ? now : next));
    if (rows === undefined || layout === undefined) return;
    const row = rowFrom(rows, layout, Math.floor(next.top / rowHeight));
    anchor.current = { offset: offsetOf(rows, row), within: next.top - layout.slotOf(row) * rowHeight };
    onSeen(anchor.current.offset);
  });
  const onScroll = useEffectEvent((top: number) => {
    // Without rows, the browser scrolled, not the reader: the rows are being replaced with the goal's.
    if (rows !== undefined && Math.abs(top - scrolledTo.current) > 1) left.current = goal;
    measure();
  });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || rows === undefined || layout === undefined) return;
    const { offset, within } = anchor.current;
    const topOf = (byte: number) => layout.slotOf(rowAt(rows, byte)) * rowHeight;
    element.scrollTop =
      goal === left.current ? topOf(offset) + within : topOf(goal.offset) - element.clientHeight / 3;
    scrolledTo.current = element.scrollTop;
    measure();
  }, [scroller, rows, layout, goal]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    return watch(element, { onSize: () => measure(), onScroll: () => onScroll(element.scrollTop) });
  }, [scroller]);
  return seen;
}

/** Calls back when an element scrolls or resizes, until the returned function is called. */
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

/** The file row in a slot of the list, or the row that a marker there belongs to. */
function rowFrom(rows: FileRows, layout: Layout<Marker>, slot: number): number {
  const found = layout.at(Math.min(slot, layout.count - 1));
  return "row" in found ? found.row : rowAt(rows, found.marker.offset);
}
