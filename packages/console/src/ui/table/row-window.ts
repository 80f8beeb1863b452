import { type RefObject, useLayoutEffect, useState } from "react";

/** The heights of each row, and of what stays above them, in pixels. */
export interface Heights {
  row: number;
  head: number;
}

/**
 * Maximum height of the rows' element, in pixels: browsers draw nothing beyond 17 million (Firefox) or 33
 * million (Chromium).
 */
const mostHeight = 8_000_000;

/** The visible rows of a list of any length. */
export interface RowWindow {
  /** The first rendered row, and the one after the last. */
  first: number;
  end: number;
  height: number;
  /** The distance of a row from the top of the list, in pixels. */
  offsetOf(row: number): number;
  /** Scrolls as little as needed to show a row. */
  reveal(row: number): void;
  /** The number of fully visible rows. */
  seen: number;
}

/** A detail below a row: the row's number, and the detail's height in pixels. */
interface OpenDetail {
  index: number;
  height: number;
}

/**
 * Follows the scrolling of an element with `count` rows. Only visible rows are rendered. A list higher than
 * browsers can draw is scrolled in larger steps. `details` are ordered by row.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  { row, head }: Heights,
  { count, details = [] }: { count: number; details?: readonly OpenDetail[] },
): RowWindow {
  const [{ top, view }, setScroll] = useState({ top: 0, view: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const next = { top: element.scrollTop, view: Math.max(0, element.clientHeight - head) };
      setScroll((now) => (now.top === next.top && now.view === next.view ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller, head]);
  const windowFrom = (from: number) =>
    windowAt({ top: from, view, row, count, details }, (position) =>
      scroller.current?.scrollTo({ top: position }),
    );
  return {
    ...windowFrom(top),
    // A previous key press may have scrolled it since the last render.
    reveal: (index) => windowFrom(scroller.current?.scrollTop ?? top).reveal(index),
  };
}

interface Scrolled {
  top: number;
  view: number;
  row: number;
  count: number;
  details?: readonly OpenDetail[];
}

/** Computes the rows at a scroll position; `scrollTo` scrolls to another one. */
export function windowAt(
  { top, view, row, count, details = [] }: Scrolled,
  scrollTo: (top: number) => void,
): RowWindow {
  const whole = count * row + details.reduce((sum, detail) => sum + detail.height, 0);
  const height = Math.min(whole, mostHeight);
  const range = Math.max(1, height - view);
  const wholeRange = Math.max(0, whole - view);
  // Unless the list is cut, one pixel scrolls one pixel.
  const wholeTop = (Math.min(top, range) / range) * wholeRange;
  /** The distance of a row from the top of an uncut list. */
  const topOf = (index: number) =>
    details.reduce((sum, detail) => (detail.index < index ? sum + detail.height : sum), index * row);
  return {
    first: Math.max(0, rowAt(details, wholeTop, row) - overscan),
    end: Math.min(count, rowAt(details, wholeTop + view, row) + 1 + overscan),
    height,
    seen: Math.max(1, Math.floor(view / row)),
    offsetOf: (index) => Math.round(Math.min(top, range) + topOf(index) - wholeTop),
    reveal(index) {
      const highest = topOf(index);
      const lowest = highest + row - view;
      const target = highest < wholeTop ? highest : lowest > wholeTop ? lowest : undefined;
      if (target !== undefined && wholeRange > 0) scrollTo(Math.round((target / wholeRange) * range));
    },
  };
}

/** The row at a distance from the top of an uncut list, or the one whose detail is there. */
function rowAt(details: readonly OpenDetail[], distance: number, row: number): number {
  let above = 0;
  for (const { index, height } of details) {
    const begin = (index + 1) * row + above;
    if (distance < begin) break;
    if (distance < begin + height) return index;
    above += height;
  }
  return Math.floor((distance - above) / row);
}

/** Rows rendered beyond each end, so that scrolling shows no gap. */
const overscan = 6;
