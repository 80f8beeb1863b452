import { describe, expect, test } from "vitest";
import { windowAt } from "../src/ui/table/row-window.ts";

const row = 28;
const view = 20 * row;

/** The window at a scrolled position, and the position that `reveal` scrolls to. */
function at(count: number, top = 0) {
  const scrolled: number[] = [];
  const window = windowAt({ top, view, row, count }, (to) => scrolled.push(to));
  return { window, scrolled };
}

describe.each([30, 1_000_000])("a list of %i rows", (count) => {
  test("renders a few more rows than are visible, whatever its length", () => {
    const { window } = at(count, 5 * row);
    expect(window.end - window.first).toBeLessThan(40);
    expect(window.end - window.first).toBeGreaterThanOrEqual(20);
  });

  test("ends with its last row at the lower edge", () => {
    const { window } = at(count);
    const top = window.height - view;
    const end = at(count, top).window;
    expect(end.end).toBe(count);
    expect(end.offsetOf(count - 1)).toBe(top + view - row);
  });

  test("shows the row to be revealed, from above and from below", () => {
    for (const [from, target] of [
      [0, count - 1],
      [Number.MAX_SAFE_INTEGER, 0],
      [0, Math.floor(count / 2)],
    ] as const) {
      const { window, scrolled } = at(count, from);
      window.reveal(target);
      const top = scrolled[0] ?? 0;
      const shown = at(count, top).window;
      expect(target).toBeGreaterThanOrEqual(shown.first);
      expect(target).toBeLessThan(shown.end);
      // One pixel of a cut list is more than one row.
      expect(shown.offsetOf(target) - top).toBeGreaterThanOrEqual(-1 - row);
      expect(shown.offsetOf(target) - top).toBeLessThanOrEqual(view - row + row);
    }
  });

  test("does not scroll to a visible row", () => {
    const { window, scrolled } = at(count);
    window.reveal(3);
    expect(scrolled).toEqual([]);
  });
});

test("a list of a million rows is low enough for a browser to draw", () => {
  expect(at(1_000_000).window.height).toBeLessThan(16_000_000);
});

test("an empty list has no rows", () => {
  expect(at(0).window).toMatchObject({ first: 0, end: 0, height: 0 });
});

describe.each([50, 1_000_000])("a list of %i rows with details below some", (count) => {
  const details = [
    { index: 2, height: 300 },
    { index: 10, height: 5_000 },
  ];
  const windowFrom = (top: number, scrolled: number[] = []) =>
    windowAt({ top, view, row, count, details }, (to) => scrolled.push(to));

  test("leaves room for them", () => {
    const { offsetOf } = windowFrom(0);
    expect([2, 3].map(offsetOf)).toEqual([2 * row, 3 * row + 300]);
  });

  test("renders a row as long as its detail is visible, and few others", () => {
    const scrolled: number[] = [];
    windowFrom(0, scrolled).reveal(11);
    const { first, end } = windowFrom((scrolled[0] ?? 0) - 4 * row);
    expect(first).toBeLessThanOrEqual(10);
    expect(end).toBeGreaterThan(10);
    expect(end - first).toBeLessThan(40);
  });

  test("ends with its last row at the lower edge", () => {
    const top = windowFrom(0).height - view;
    const { end, offsetOf } = windowFrom(top);
    expect([end, offsetOf(count - 1)]).toEqual([count, top + view - row]);
  });
});
