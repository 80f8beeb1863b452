import { type RefObject, useLayoutEffect, useState } from "react";

/** The height of a row in pixels, as `--row` has it. */
const rowHeight = 28;

/** The highest element of rows, in pixels: browsers draw none above 17 million (Firefox) or 33 million (Chromium). */
const mostHeight = 8_000_000;

/** The rows that are seen of a list, whatever its length. */
export interface RowWindow {
  /** The first row that is rendered, and the one after the last. */
  first: number;
  end: number;
  /** The height of all rows in pixels. */
  height: number;
  /** The distance of a row from the top of the list, in pixels. */
  offsetOf(row: number): number;
  /** Scrolls as far as a row needs to be seen. */
  reveal(row: number): void;
  /** The number of whole rows that are seen. */
  seen: number;
}

/** A detail below a row: the row's place, and the height of the detail in pixels. */
export interface OpenDetail {
  place: number;
  height: number;
}

/**
 * Follows the scrolling of an element with `count` rows below a header of the same height. Only the rows that are seen
 * are rendered. A list that would be higher than a browser can draw is scrolled in larger steps. `details` are in the
 * order of their rows.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  details: readonly OpenDetail[] = [],
): RowWindow {
  const [{ top, view }, setScroll] = useState({ top: 0, view: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const next = { top: element.scrollTop, view: Math.max(0, element.clientHeight - rowHeight) };
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
  }, [scroller]);
  const windowFrom = (from: number) =>
    windowAt({ top: from, view, count, details }, (position) =>
      scroller.current?.scrollTo({ top: position }),
    );
  return {
    ...windowFrom(top),
    // The key before may have scrolled it since it was rendered.
    reveal: (row) => windowFrom(scroller.current?.scrollTop ?? top).reveal(row),
  };
}

interface Scrolled {
  top: number;
  view: number;
  count: number;
  details?: readonly OpenDetail[];
}

/** Computes the rows at a scrolled position; `scrollTo` scrolls to another one. */
export function windowAt(
  { top, view, count, details = [] }: Scrolled,
  scrollTo: (top: number) => void,
): RowWindow {
  const whole = count * rowHeight + details.reduce((sum, detail) => sum + detail.height, 0);
  const height = Math.min(whole, mostHeight);
  const range = Math.max(1, height - view);
  const wholeRange = Math.max(0, whole - view);
  // As long as the list is not cut, a pixel is a pixel.
  const wholeTop = (Math.min(top, range) / range) * wholeRange;
  return {
    first: Math.max(0, rowAt(details, wholeTop) - overscan),
    end: Math.min(count, rowAt(details, wholeTop + view) + 1 + overscan),
    height,
    seen: Math.max(1, Math.floor(view / rowHeight)),
    offsetOf: (row) => Math.round(Math.min(top, range) + topOf(details, row) - wholeTop),
    reveal(row) {
      const highest = topOf(details, row);
      const lowest = highest + rowHeight - view;
      const target = highest < wholeTop ? highest : lowest > wholeTop ? lowest : undefined;
      if (target !== undefined && wholeRange > 0) scrollTo(Math.round((target / wholeRange) * range));
    },
  };
}

/** The distance of a row from the top of a list that is not cut. */
const topOf = (details: readonly OpenDetail[], row: number) =>
  details.reduce((sum, { place, height }) => (place < row ? sum + height : sum), row * rowHeight);

/** The row at a distance from the top of a list that is not cut, or the one whose detail is there. */
function rowAt(details: readonly OpenDetail[], distance: number): number {
  let above = 0;
  for (const { place, height } of details) {
    const begin = (place + 1) * rowHeight + above;
    if (distance < begin) break;
    if (distance < begin + height) return place;
    above += height;
  }
  return Math.floor((distance - above) / rowHeight);
}

/** Rows that are rendered beyond each end, so that scrolling does not show a gap. */
const overscan = 6;
