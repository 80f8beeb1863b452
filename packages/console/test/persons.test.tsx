import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hasDraft, useEdits } from "../src/api/drafts.ts";
import { rememberPerson, renewSilently } from "../src/api/person.ts";
import { queryClient } from "../src/api/query-client.ts";
import { sessionQuery, signOut } from "../src/api/session.ts";
import { useDraft } from "../src/pages/run/use-draft.ts";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const edits = () => true;

test("the sign-in page may ask for edits while it takes the place of the page that has them", () => {
  function Editor() {
    useEdits(edits);
    return null;
  }
  function SignIn() {
    return <p>{hasDraft() ? "keeps your edits" : ""}</p>;
  }
  const { rerender } = render(<Editor />);
  rerender(<SignIn />);
  screen.getByText("keeps your edits");
});

describe("a silent renewal", () => {
  test("that the reader stops keeps no navigation waiting, and leaves no entry in the history", async () => {
    vi.useFakeTimers();
    const replace = vi.spyOn(location, "replace").mockReturnValue();
    rememberPerson();
    const stays = vi.fn();
    void renewSilently("/@shop/tasks").then(stays);
    void renewSilently("/@shop/run").then(stays);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([replace.mock.calls, stays.mock.calls.length]).toEqual([
      [["/console/oidc/sign-in?then=%2F%40shop%2Ftasks&silent="]],
      0,
    ]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stays).toHaveBeenCalledTimes(2);
    rememberPerson();
    void renewSilently("/@shop/run");
    expect(replace).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(20_000);
  });
});

describe("signing out", () => {
  const ada = { tenants: [{ identifier: "shop", role: "admin", personName: "Ada" }] };

  /** Answers a sign-out, and a read of the session that began before. */
  function answerLate() {
    const { promise: read, resolve: answer } = Promise.withResolvers<void>();
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    vi.stubGlobal("fetch", async (_: string, { method = "GET", signal }: RequestInit) => {
      if (method === "DELETE") return end.then(() => new Response(null, { status: 204 }));
      await read;
      signal?.throwIfAborted();
      return Response.json(ada);
    });
    return { answer, finish };
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, 10));

  test("forgets the person also while the session is being read", async () => {
    const { answer, finish } = answerLate();
    const read = queryClient.fetchQuery(sessionQuery).catch(() => undefined);
    const ended = signOut();
    finish();
    await ended;
    answer();
    await Promise.all([read, settle()]);
    expect(localStorage).toHaveLength(0);
  });

  test("forgets a person that was remembered before the service has ended the session", async () => {
    const { answer, finish } = answerLate();
    const ended = signOut();
    await settle();
    answer();
    await queryClient.fetchQuery(sessionQuery);
    finish();
    await ended;
    expect(localStorage).toHaveLength(0);
  });
});

describe("a file on the page Run", () => {
  let file: ReturnType<typeof useDraft>;
  const isCreating = { current: false };
  function Run() {
    file = useDraft(undefined, isCreating);
    useEdits(file.wouldLose);
    return null;
  }
  const session = (personName?: string) =>
    queryClient.setQueryData(sessionQuery.queryKey, {
      tenants: personName === undefined ? [] : [{ identifier: "shop", role: "admin" as const, personName }],
    });

  async function show(personName: string) {
    session(personName);
    const root = createRootRoute();
    const run = createRoute({ getParentRoute: () => root, path: "/@{$tenant}/run", component: Run });
    const history = createMemoryHistory({ initialEntries: ["/@shop/run"] });
    const router = createRouter({ routeTree: root.addChildren([run]), history });
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>,
    );
    await act(() => router.load());
  }
  const opened = (name: string, text: string | null) =>
    act(() => file.open(name, async () => ({ name, json: new Blob(["{}"]), text })));
  /** Leads to the sign-in. */
  const endSession = () => {
    act(() => void session());
    cleanup();
  };

  beforeEach(() => {
    // The session is read again when a page appears.
    vi.stubGlobal("fetch", () => new Promise(() => {}));
  });

  test("is not what another person has left", async () => {
    await show("Ada");
    await opened("spring.json", "{}");
    act(() => file.edit(() => "[1]"));
    endSession();
    await show("Bo");
    expect(file.draft.name).toBe("operations.json");
    cleanup();
    await show("Ada");
    expect(file.draft.name).toBe("operations.json");
  });

  test.each([["{}"], [null]])("is kept when the session ends, also without edits (text %s)", async (text) => {
    await show("Ada");
    await opened("spring.json", text);
    expect(hasDraft()).toBe(true);
    endSession();
    expect(hasDraft()).toBe(true);
    await show("Ada");
    expect([file.draft.name, file.draft.text, await file.draft.json.text()]).toEqual([
      "spring.json",
      text,
      "{}",
    ]);
  });

  test("is not kept without edits when another page is chosen", async () => {
    await show("Ada");
    await opened("spring.json", "{}");
    cleanup();
    await show("Ada");
    expect(file.draft.name).toBe("operations.json");
  });
});
