import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { HourChart } from "../src/pages/overview/hour-chart.tsx";
import { stateOf } from "../src/pages/task-model/states.tsx";
import { Failed } from "../src/pages/tasks/columns.tsx";

/** A day of which two hours have operations; the others have none. */
const day = Array.from({ length: 24 }, (_, i) => ({
  hour: new Date(Date.UTC(2026, 10, 28, i)).toISOString(),
  operations: { 9: 12_000, 23: 4 }[i] ?? 0,
  failed: { 9: 3 }[i] ?? 0,
}));

function show() {
  const { container } = render(<HourChart title="The last day" hours={day} />);
  return { container, chart: screen.getByRole("slider", { name: "The last day, by hour" }) };
}

const heightsOf = (container: Element, part: string) =>
  Array.from(container.querySelectorAll(`[class*=${part}]`), (bar) => Number(bar.getAttribute("height")));

test("a chart says the sums, and the figures of an hour that is chosen by keys", () => {
  const { container, chart } = show();
  expect(container.textContent).toContain("12,004 operations, 3 failed");
  fireEvent.focus(chart);
  expect(chart.getAttribute("aria-valuetext")).toMatch(/: 4 operations, 0 failed$/);
  fireEvent.keyDown(chart, { key: "End" });
  fireEvent.keyDown(chart, { key: "ArrowRight" });
  expect(chart.getAttribute("aria-valuenow")).toBe("23");
  fireEvent.keyDown(chart, { key: "Home" });
  for (let i = 0; i < 9; i++) fireEvent.keyDown(chart, { key: "ArrowRight" });
  expect(chart.getAttribute("aria-valuetext")).toMatch(/: 12,000 operations, 3 failed$/);
});

test("a chart has each hour in a table, also those without operations", () => {
  show();
  const rows = within(screen.getByRole("table", { name: "The last day, by hour" })).getAllByRole("row");
  expect(rows).toHaveLength(25);
  expect(rows[1]?.textContent).toMatch(/00$|000$/);
  expect(rows[10]?.textContent).toMatch(/12,0003$/);
});

test("a chart marks empty hours on its line, and draws few operations large enough to be seen", () => {
  const { container } = show();
  expect(heightsOf(container, "mark").filter((height) => height > 0)).toHaveLength(24);
  const bars = heightsOf(container, "operations");
  expect([bars[0], bars[23]]).toEqual([0, 2]);
  expect(heightsOf(container, "failures").filter((height) => height > 0)).toHaveLength(1);
});

test("a task with a date says in its state when it starts", () => {
  const task = { kind: "run", heldAt: null, startAt: "2090-12-01T06:00:00Z", info: null } as const;
  const [pending, started] = (["pending", "started"] as const).map((status) =>
    stateOf({ ...task, status, progress: {} as never }),
  );
  expect(pending).toEqual(["waiting", expect.stringMatching(/^starts .*2090/)]);
  expect(started).toEqual(["queued", "waiting"]);
});

test("a task with a partial operation and none that failed is not red", () => {
  const progress = {
    ...{
      total: 10,
      processed: 10,
      succeeded: 9,
      partial: 1,
      failed: 0,
      skipped: 0,
      toExecute: 10,
      repaired: 0,
    },
    ...{ created: 9, updated: 0, unchanged: 0, deleted: 0, published: 0, unpublished: 0 },
    ...{ waitingFor: null, startedAt: null, updatedAt: null, operationsPerSecond: null, secondsLeft: null },
  };
  const { container } = render(<Failed task={{ progress }} />);
  expect(container.textContent).toBe("0 · 1 partial");
  expect(container.querySelector("[class*=failed]")).toBeNull();
});
