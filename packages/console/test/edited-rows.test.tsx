import { exportMark } from "@lading/schema/internal";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Change } from "../src/pages/export/change.ts";
import { EditedRows } from "../src/pages/export/edited-rows.tsx";
import { inOwnWorker } from "../src/pages/run/worker/client.ts";
import { convertTable } from "../src/pages/run/worker/convert.ts";
import { editTable } from "../src/pages/run/worker/edit.ts";
import type { ConversionInput, EditInput } from "../src/pages/run/worker/jobs.ts";

const openInRun = vi.hoisted(() => vi.fn());
vi.mock("../src/layout/dropped-file.ts", () => ({ useOpenInRun: () => openInRun }));
vi.mock("../src/layout/navigation.ts", () => ({ useStay: () => () => () => true }));
vi.mock("../src/pages/run/worker/client.ts", () => ({ inOwnWorker: vi.fn() }));

afterEach(() => openInRun.mockClear());

const table = new Blob(
  ["a", "b"].map((sku) => `${JSON.stringify({ sku, stock: 3, _exported: exportMark(3) })}\n`),
);
const map = {
  columns: { sku: { type: "text" }, stock: { type: "number", empty: "refuse" } },
  exported: { column: "_exported", of: ["stock"] },
  operations: [
    {
      ...{ intent: "product/variant/stock/modify", sku: "[[sku]]", stockLocationIdentifier: "default" },
      ...{ operation: "overwrite", quantity: "[[stock]]", $edited: "stock" },
    },
  ],
};

/** Shows the rows that a change edits. Conversions wait for `go`. Returns what shows those of another change. */
async function shown(change: Change, go: Promise<unknown> = Promise.resolve()) {
  const context = { signal: new AbortController().signal, onBytes: () => {} };
  vi.mocked(inOwnWorker).mockImplementation((async (job: string, input: unknown) =>
    job === "edit"
      ? editTable(input as EditInput, context)
      : go.then(() => convertTable(input as ConversionInput, context))) as typeof inOwnWorker);
  const client = new QueryClient();
  const rows = (change: Change) => (
    <QueryClientProvider client={client}>
      <EditedRows
        {...{ source: { table, map, maxBytes: 1e9 }, readAt: 1, column: "stock", keys: ["sku"], change }}
        exported={{ kind: "variants" }}
      />
    </QueryClientProvider>
  );
  const { rerender } = render(rows(change));
  await screen.findByText(/2 of 2 rows/);
  return (change: Change) => act(async () => rerender(rows(change)));
}

const make = () => fireEvent.click(screen.getByRole("button", { name: "Make operations" }));
const issues = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);

test("what cannot be right names its row, until another change is typed", async () => {
  const showOther = await shown({ do: "set", value: 3.3 });
  make();
  await vi.waitFor(() => expect(issues()).toHaveLength(2));
  expect(issues()).toEqual([
    expect.stringMatching(/^errorastock.*whole number/),
    expect.stringMatching(/^errorbstock.*whole number/),
  ]);
  await showOther({ do: "set", value: 4 });
  await vi.waitFor(() => expect(screen.queryAllByText("4")).toHaveLength(2));
  expect(issues()).toEqual([]);
});

test("operations of a former change are not opened", async () => {
  let go: (value?: unknown) => void = () => {};
  const showOther = await shown({ do: "set", value: 5 }, new Promise((resolve) => (go = resolve)));
  make();
  await showOther({ do: "set", value: 6 });
  await vi.waitFor(() => expect(screen.queryAllByText("6")).toHaveLength(2));
  await act(async () => go());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(openInRun).not.toHaveBeenCalled();
  make();
  await vi.waitFor(() => expect(openInRun).toHaveBeenCalledTimes(1));
  const [[file]]: [[File]] = openInRun.mock.calls[0] as never;
  expect(await file.text()).toContain('"quantity":6');
});
