import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { act, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { ConvertStep } from "../src/pages/run/convert/step.tsx";
import type { Chosen } from "../src/pages/run/convert/use-conversion.ts";
import { inOwnWorker } from "../src/pages/run/worker/client.ts";
import { convertTable } from "../src/pages/run/worker/convert.ts";
import type { ConversionInput } from "../src/pages/run/worker/jobs.ts";

vi.mock("../src/api/session.ts", () => ({ useTenant: () => "shop" }));
vi.mock("../src/api/request.ts", () => ({
  request: async () => ({ tenant: { __typename: "Tenant", uploadMaxBytes: 1e9 } }),
}));
vi.mock("../src/pages/run/worker/client.ts", () => ({ inOwnWorker: vi.fn() }));

const map = JSON.stringify({ operations: [{ intent: "topic/delete", topicId: "[[id]]" }] });
const table = (name: string) => new File([`id\n${"0".repeat(24)}\n`], name);

/** Opens the step with a table. Returns what chooses another. */
async function opened(name: string) {
  let choose: (chosen: Chosen) => void = () => {};
  const of = (name: string): Chosen => ({
    table: table(name),
    map: { name: "m.json", text: map },
    lookups: {},
  });
  function Step() {
    const [chosen, setChosen] = useState(of(name));
    choose = setChosen;
    const nothing = () => {};
    const on = { onChoose: nothing, onPreset: nothing, onFiles: nothing, onOpen: nothing, onClose: nothing };
    return <ConvertStep chosen={chosen} {...on} />;
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: Step }),
    history: createMemoryHistory(),
  });
  await act(async () => render(<RouterProvider router={router} />));
  return (name: string) => act(async () => choose(of(name)));
}

test("operations of the former table cannot be opened after another one failed", async () => {
  vi.mocked(inOwnWorker).mockImplementation(((_job: string, input: ConversionInput) =>
    convertTable(input, { signal: new AbortController().signal, onBytes: () => {} })) as typeof inOwnWorker);
  const choose = await opened("a.csv");
  const open = () => screen.getByRole<HTMLButtonElement>("button", { name: "Open as operations" });
  await vi.waitFor(() => expect(open().disabled).toBe(false));
  vi.mocked(inOwnWorker).mockRejectedValue(new Error("The file is not a complete gzip file"));
  await choose("b.csv.gz");
  expect((await screen.findByRole("alert")).textContent).toMatch(/not a complete gzip file/);
  expect([open().disabled, screen.queryByText(/1 operation/)]).toEqual([true, null]);
  vi.mocked(inOwnWorker).mockReset();
});
