import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "../src/api/query-client.ts";
import { sessionQuery } from "../src/api/session.ts";
import { EndNotifications, NotifyButton } from "../src/layout/end-notification.tsx";
import { useLiveTask } from "../src/pages/task/live-task.ts";

/** The titles of notifications. */
const told = vi.hoisted(() => {
  const titles: string[] = [];
  class Told {
    static requestPermission = async () => "granted";
    constructor(title: string) {
      titles.push(title);
    }
  }
  // Whether there are notifications is known when the module is loaded.
  Object.assign(window, { Notification: Told });
  return titles;
});

const task = (endedAt: string | null, retries: object[] = []) => ({
  ...{ id: "t1", kind: "run", status: endedAt === null ? "running" : "complete", retries },
  ...{
    endedAt,
    heldAt: null,
    undoneBy: null,
    prunedAt: null,
    progress: { repaired: 0, succeeded: 3, failed: 0 },
  },
});
const end = "2026-11-28T12:00:00Z";

/** The answers of the service: the task, and streams if there are any; each request is counted. */
let shown = task(end);
let streams: () => Response = () => new Response("", { status: 503 });
let isAway = false;
let isSignedOut = false;
let asked: string[] = [];
let send: (data: object) => void = () => {};
let telling: ReturnType<typeof setInterval> | undefined;
/** True while requests arrive nowhere: they are never answered. */
let isLost = false;

/** A stream that stays open, and tells the state every few seconds. */
function openStream(): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    start(controller) {
      send = (data) =>
        controller.enqueue(encoder.encode(`event: next\ndata: ${JSON.stringify({ data })}\n\n`));
      const now = () =>
        send(shown.endedAt === null ? { bulkTask: shown } : { taskOverview: { recent: [{ id: "t1" }] } });
      now();
      telling = setInterval(now, 3_000);
    },
  });
  return new Response(body);
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal("navigator", {
    ...navigator,
    locks: { request: (_: string, __: object, run: () => unknown) => Promise.resolve(run()) },
  });
  vi.stubGlobal(
    "fetch",
    async (
      _: string,
      { body, headers, signal }: { body: string; headers: { accept: string }; signal: AbortSignal },
    ) => {
      const name = /(?:query|subscription) (\w+)/.exec(JSON.parse(body).query)?.[1] ?? "";
      asked.push(name);
      if (isSignedOut) return new Response("", { status: 401 });
      if (isAway) throw new TypeError("fetch failed");
      if (isLost)
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return headers.accept === "text/event-stream"
        ? streams()
        : Response.json({ data: { bulkTask: shown } });
    },
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("a task's rates are measured also if its page was opened before its first operation", async () => {
  const at = (second: number | null, succeeded: number) => {
    const time = second === null ? null : `2026-11-28T12:00:0${second}Z`;
    const progress = {
      repaired: 0,
      succeeded,
      partial: 0,
      failed: 0,
      startedAt: time && end,
      updatedAt: time,
    };
    return { ...task(null), progress };
  };
  const states = [at(null, 0), at(0, 100), at(2, 2_100), at(4, 6_100)];
  function Rates() {
    const { samples } = useLiveTask("shop", "t1");
    return samples.map(({ rate }) => rate).join(" ");
  }
  shown = states[0]!;
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <Rates />
    </QueryClientProvider>,
  );
  for (const state of states) {
    shown = state;
    await act(() => vi.advanceTimersByTimeAsync(1_600));
  }
  expect(container.textContent).toBe("1000 2000");
});

function Shown() {
  const { query } = useLiveTask("shop", "t1");
  return <p>{query.data?.status}</p>;
}

/** The requests of a minute, after the page was opened. */
async function requestsOfAMinute(): Promise<string[]> {
  render(
    <QueryClientProvider client={queryClient}>
      <Shown />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  screen.getByText(shown.status);
  asked = [];
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  return asked;
}

test("the page of a task asks for nothing while a stream tells its changes", async () => {
  streams = openStream;
  for (shown of [task(end), task(null)]) {
    expect(await requestsOfAMinute()).toEqual([]);
    cleanup();
    queryClient.clear();
  }
});

test("the page of a running task whose connection falls silent reads it again, also after lost requests", async () => {
  streams = openStream;
  shown = task(null);
  await requestsOfAMinute();
  clearInterval(telling);
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  expect(asked).toEqual(["Task"]);
  isLost = true;
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  isLost = false;
  streams = () => new Response("", { status: 503 });
  shown = task(end);
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  screen.getByText("complete");
});

test("the page of an ended task reads it again when another task is created, and follows its retry", async () => {
  streams = openStream;
  shown = task(end);
  await requestsOfAMinute();
  shown = task(end, [{ id: "r1", status: "running", undoneBy: null, endedAt: null }]);
  send({ taskOverview: { recent: [{ id: "r1" }, { id: "t1" }] } });
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(asked).toContain("Task");
  asked = [];
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(asked.length).toBeGreaterThan(20);
});

test("without a stream, the page of an ended task asks a few times a minute, and of a running one more often", async () => {
  streams = () => new Response("", { status: 429, headers: { "retry-after": "3600" } });
  shown = task(end);
  expect(await requestsOfAMinute()).toHaveLength(6);
  cleanup();
  queryClient.clear();
  shown = task(null);
  expect((await requestsOfAMinute()).length).toBeGreaterThan(30);
});

test("a stream that breaks immediately each time is reopened less and less often", async () => {
  shown = task(null);
  const event = `event: next\ndata: ${JSON.stringify({ data: { bulkTask: shown } })}\n\n`;
  streams = () => new Response(event);
  const requests = await requestsOfAMinute();
  expect(requests.filter((name) => name === "Watch").length).toBeLessThan(20);
});

test("a hidden tab notifies of the end of a task, also after an outage and after its session was renewed", async () => {
  queryClient.setQueryData(sessionQuery.queryKey, { tenants: [{ identifier: "shop", role: "admin" }] });
  const root = createRootRoute();
  const component = () => (
    <>
      <NotifyButton id="t1" name="run spring.json" />
      <EndNotifications />
    </>
  );
  const tenant = createRoute({ getParentRoute: () => root, path: "/@{$tenant}", component });
  const history = createMemoryHistory({ initialEntries: ["/@shop"] });
  const router = createRouter({ routeTree: root.addChildren([tenant]), history });
  shown = task(null);
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(100));
  fireEvent.click(screen.getByRole("button", { name: "Notify me" }));
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  isAway = true;
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  isAway = false;
  isSignedOut = true;
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(told).toEqual([]);
  isSignedOut = false;
  // What a page that is loaded again begins with.
  expect(sessionStorage.getItem("lading-watched")).toContain("spring.json");
  shown = task(end);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(told).toEqual(["run spring.json has ended"]);
});
