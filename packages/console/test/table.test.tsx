import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useCursorRows, useNumberedRows } from "../src/ui/table/paged-rows.ts";
import { type Column, type Following, Table } from "../src/ui/table/table.tsx";

interface Product {
  name: string;
}

const pageSize = 50;
const columns: Column<Product>[] = [
  { header: "SKU", width: 5, card: "hidden", cell: () => "sku" },
  { header: "State", width: 5, card: "state", cell: () => "published" },
  { header: "Name", width: 10, card: "title", cell: ({ name }) => name },
  { header: "Price", width: 5, cell: () => "12 EUR" },
];

/** A list that a test may change. */
interface Shop {
  count: number;
  totalCount?: number;
  /** The end of each cursor. */
  mark?: string;
  /** Delays the pages after the first. */
  pause?: Promise<void>;
  /** Why its pages cannot be read. */
  refusal?: Error | undefined;
  onOpen?: (product: Product) => void;
  following?: Following;
}

/** Reads a page of the shop's products; a cursor is the number of the row before the page. */
const fetchPage = (shop: Shop) =>
  vi.fn(async (after: string, _signal: AbortSignal, counts: boolean) => {
    if (shop.refusal) throw shop.refusal;
    const first = Number.parseInt(after || "0", 10);
    if (first > 0) await shop.pause;
    const end = Math.min(shop.count, first + pageSize);
    const rows = Array.from({ length: end - first }, (_, i) => ({ name: `Product ${first + i + 1}` }));
    const { totalCount, mark = "" } = shop;
    const counted = counts ? { totalCount } : {};
    return { rows, endCursor: `${end}${mark}`, hasNextPage: end < shop.count, ...counted };
  });

/** Shows the products in a table of the given width. */
function load(shop: Shop, width = 1_000) {
  sizes.clientWidth = width;
  const read = fetchPage(shop);
  function Products() {
    const rows = useCursorRows({ queryKey: ["products"], pageSize, fetchPage: read });
    return (
      <Table
        label="Products"
        columns={columns}
        rows={rows}
        empty="No products yet"
        cards
        onOpen={(row) => shop.onOpen?.(row)}
        following={shop.following}
      />
    );
  }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <Products />
    </QueryClientProvider>,
  );
  return { read, client };
}

/** The same, once the first page is there. */
async function show(shop: Shop, width?: number) {
  const rest = load(shop, width);
  return { ...rest, grid: await screen.findByRole("grid") };
}

const press = (grid: HTMLElement, ...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(grid, { key });
};
const chosen = () => screen.queryByRole("row", { selected: true })?.textContent ?? undefined;

// A document without layout has no sizes.
const sizes = { clientWidth: 1_000, clientHeight: 300 };

beforeEach(() => {
  sizes.clientHeight = 300;
  for (const name of ["clientWidth", "clientHeight"] as const)
    vi.spyOn(HTMLElement.prototype, name, "get").mockImplementation(() => sizes[name]);
  vi.spyOn(Element.prototype, "scrollTo").mockImplementation(function (this: Element, options) {
    this.scrollTop = (options as ScrollToOptions).top ?? 0;
    this.dispatchEvent(new Event("scroll"));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("a list without rows", () => {
  test("that cannot be read says why, and can be read again", async () => {
    const shop: Shop = { count: 3, refusal: new Error("The tenant is gone") };
    load(shop);
    screen.getByRole("status", { name: "Loading" });
    expect((await screen.findByRole("alert")).textContent).toContain("The tenant is gone");
    shop.refusal = undefined;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("grid");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("that has none says so instead of a table", async () => {
    load({ count: 0 });
    await screen.findByText("No products yet");
    expect(screen.queryByRole("grid")).toBeNull();
  });
});

describe("a list that is read page by page", () => {
  test("tells no number of rows until it is known, and then the true one", async () => {
    const { grid } = await show({ count: 331 });
    expect(grid.getAttribute("aria-rowcount")).toBe("-1");
    press(grid, "End");
    await waitFor(() => expect(grid.getAttribute("aria-rowcount")).toBe("332"));
  });

  test("tells the number of rows that the service counts, before they are loaded", async () => {
    const { grid } = await show({ count: 331, totalCount: 331 });
    expect(grid.getAttribute("aria-rowcount")).toBe("332");
  });

  test("lets the service count the rows once, and still tells their number further down", async () => {
    sizes.clientHeight = 3_000;
    const { grid, read, client } = await show({ count: 331, totalCount: 331 });
    await waitFor(() => expect(read).toHaveBeenCalledTimes(3));
    await act(() => client.refetchQueries());
    expect(read.mock.calls.length).toBeGreaterThanOrEqual(6);
    expect(read.mock.calls.filter(([, , counts]) => counts)).toHaveLength(1);
    fireEvent.wheel(grid);
    grid.scrollTop = 4_000;
    fireEvent.scroll(grid);
    await screen.findByText("Product 200");
    expect(grid.getAttribute("aria-rowcount")).toBe("332");
  });

  test("loads up to its last row after End", async () => {
    const { grid } = await show({ count: 331 });
    press(grid, "End");
    await waitFor(() => expect(chosen()).toContain("Product 331"));
  });

  test("stays where the reader scrolls to after End", async () => {
    const { grid } = await show({ count: 331 });
    press(grid, "End");
    fireEvent.wheel(grid);
    await act(() => new Promise((resolve) => setTimeout(resolve, 150)));
    expect(chosen()).toContain(`Product ${pageSize + 1}`);
  });

  test("keeps the rows of a page while its cursor changes", async () => {
    const shop: Shop = { count: 70 };
    sizes.clientHeight = 3_000;
    const { read, client } = await show(shop);
    await screen.findByText("Product 70");
    Object.assign(shop, { mark: "b", pause: new Promise(() => {}) });
    act(() => void client.refetchQueries());
    await waitFor(() => expect(read).toHaveBeenCalledWith("50b", expect.anything(), false));
    expect(screen.getByText("Product 70")).toBeDefined();
  });

  test("follows its end while rows are added", async () => {
    const shop = { count: 60 };
    const { grid, client } = await show(shop);
    press(grid, "End");
    await waitFor(() => expect(chosen()).toContain("Product 60"));
    shop.count = 75;
    await act(() => client.refetchQueries());
    await waitFor(() => expect(chosen()).toContain("Product 75"));
  });

  test("follows its end while a switch is on, and turns it off when the reader goes elsewhere", async () => {
    const shop: Shop = { count: 30, following: { isOn: true, change: vi.fn() } };
    const { grid, client } = await show(shop);
    await waitFor(() => expect(chosen()).toContain("Product 30"));
    shop.count = 45;
    await act(() => client.refetchQueries());
    await waitFor(() => expect(chosen()).toContain("Product 45"));
    expect(shop.following?.change).not.toHaveBeenCalled();
    fireEvent.wheel(grid);
    expect(shop.following?.change).toHaveBeenLastCalledWith(false);
    press(grid, "End");
    expect(shop.following?.change).toHaveBeenLastCalledWith(true);
    press(grid, "ArrowUp");
    expect(shop.following?.change).toHaveBeenLastCalledWith(false);
  });

  test("shows the first rows again after Home, without reading them again", async () => {
    const { grid, read } = await show({ count: 120 });
    press(grid, "End");
    await waitFor(() => expect(chosen()).toContain("Product 120"));
    const reads = read.mock.calls.length;
    press(grid, "Home");
    await waitFor(() => expect(chosen()).toContain("Product 1"));
    expect(read.mock.calls.length - reads).toBeLessThanOrEqual(1);
  });
});

describe("a table", () => {
  test("moves by the arrow keys, not beyond its rows, and opens a row by Enter", async () => {
    const onOpen = vi.fn();
    const { grid } = await show({ count: 3, onOpen });
    press(grid, "ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown");
    expect(chosen()).toContain("Product 3");
    press(grid, "ArrowUp", "Enter");
    expect(onOpen).toHaveBeenCalledExactlyOnceWith({ name: "Product 2" });
  });

  test("leaves keys with Ctrl to the browser", async () => {
    const { grid } = await show({ count: 3 });
    expect(fireEvent.keyDown(grid, { key: "End", ctrlKey: true })).toBe(true);
    expect(chosen()).toContain("Product 1");
  });
});

describe("a narrow table with cards", () => {
  const cellsOf = (row: HTMLElement) => Array.from(row.children, ({ textContent }) => textContent);

  test("begins each card with its title and its state, labels the others, and leaves out the hidden", async () => {
    await show({ count: 3 }, 390);
    const [, first] = screen.getAllByRole("row");
    expect(cellsOf(first!)).toEqual(["Product 1", "published", "Price12 EUR"]);
  });

  test("has rows as high as their lines", async () => {
    const { grid } = await show({ count: 3 }, 390);
    expect(grid.style.getPropertyValue("--row")).toBe("62px");
  });

  test("moves by the same keys", async () => {
    const { grid } = await show({ count: 331 }, 390);
    press(grid, "ArrowDown");
    expect(chosen()).toContain("Product 2");
    press(grid, "End");
    await waitFor(() => expect(chosen()).toContain("Product 331"));
  });
});

test("a list that grows four times a second is read once a second, and shows its rows", async () => {
  vi.useFakeTimers();
  const read = vi.fn(async (_first: number, end: number, signal: AbortSignal) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    signal.throwIfAborted();
    return Array.from({ length: end }, (_, i) => `Row ${i}`);
  });
  function Growing({ count }: { count: number }) {
    return useNumberedRows({ queryKey: ["growing"], pageSize: 100, count, fetchRange: read }).at(0) ?? "none";
  }
  const client = new QueryClient();
  const list = (count: number) => (
    <QueryClientProvider client={client}>
      <Growing count={count} />
    </QueryClientProvider>
  );
  const { container, rerender } = render(list(1));
  for (let count = 2; count < 42; count++) {
    await act(() => vi.advanceTimersByTimeAsync(250));
    rerender(list(count));
  }
  vi.useRealTimers();
  expect(container.textContent).toBe("Row 0");
  expect(read.mock.calls.length).toBeLessThan(15);
});
