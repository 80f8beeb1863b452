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

/**
 * Follows the scrolling of an element with `count` rows below a header of the same height. Only the rows that are seen
 * are rendered. A list that would be higher than a browser can draw is scrolled in larger steps.
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number): RowWindow {
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
  return windowAt({ top, view, count }, (position) => scroller.current?.scrollTo({ top: position }));
}

/** Computes the rows at a scrolled position; `scrollTo` scrolls to another one. */
export function windowAt(
  { top, view, count }: { top: number; view: number; count: number },
  scrollTo: (top: number) => void,
): RowWindow {
  const height = Math.min(count * rowHeight, mostHeight);
  const range = Math.max(1, height - view);
  const seen = Math.max(1, Math.floor(view / rowHeight));
  // As long as the list is not cut, a pixel is a pixel.
  const rowsInRange = Math.max(0, count - view / rowHeight);
  const topRow = (Math.min(top, range) / range) * rowsInRange;
  const first = Math.max(0, Math.floor(topRow) - overscan);
  return {
    first,
    end: Math.min(count, Math.ceil(topRow + view / rowHeight) + overscan),
    height,
    seen,
    offsetOf: (row) => Math.round(Math.min(top, range) + (row - topRow) * rowHeight),
    reveal(row) {
      const lowest = row - view / rowHeight + 1;
      const target = row < topRow ? row : lowest > topRow ? lowest : undefined;
      if (target !== undefined && rowsInRange > 0) scrollTo(Math.round((target / rowsInRange) * range));
    },
  };
}

/** Rows that are rendered beyond each end, so that scrolling does not show a gap. */
const overscan = 6;
