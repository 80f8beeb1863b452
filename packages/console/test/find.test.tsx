import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Dialog } from "../src/search/dialog.tsx";

const nothing = { edges: [], pageInfo: { hasNextPage: false } };
const lamp = (value: string, language: string) => ({
  node: {
    value,
    language,
    item: {
      id: "i1",
      type: "product",
      displayName: { name: "Lamp", language: "en" },
      tree: { path: "/lamp" },
    },
  },
});

/** Answers of the service, by the name of the query. */
const answers: Record<string, object> = {
  TenantLanguages: { tenant: { rootItemId: "r", defaults: { language: "en" }, languages: [] } },
  Exact: {},
  FoundTasks: { tasks: nothing },
  FoundEntities: {
    items: { ...nothing, edges: [lamp("Lamp", "en"), lamp("lampe", "de"), lamp("lamp-1", "")] },
    ...{ variants: nothing, customers: nothing, orders: nothing, plain: nothing },
  },
};

interface Asked {
  name: string;
  text: string;
  signal: AbortSignal;
}

/** Opens the search for a token of a role; `answer` may answer a query in place of the service. */
async function open(role: string, answer: (name: string, text: string) => Promise<Response> | undefined) {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", (path: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    if (path === "/console/session")
      return Promise.resolve(Response.json({ tenants: [{ identifier: "shop", role }] }));
    const { query, variables } = JSON.parse(body);
    const name = /query (\w+)/.exec(query)?.[1] ?? "";
    asked.push({ name, text: variables.text, signal });
    const data = name === "Exact" ? noneExact : answers[name];
    return answer(name, variables.text) ?? Promise.resolve(Response.json({ data }));
  });
  const onClose = vi.fn();
  const root = createRootRoute();
  const tenant = createRoute({
    getParentRoute: () => root,
    path: "/@{$tenant}",
    component: () => <Dialog main={{ current: null }} onClose={onClose} onSignOut={() => {}} />,
  });
  const pages = ["/tasks", "/browse", "/browse/items/$item", "/browse/$kind"].map((path) =>
    createRoute({
      getParentRoute: () => tenant,
      path,
      staticData: path === "/tasks" ? { navigation: "Tasks" } : {},
    }),
  );
  const history = createMemoryHistory({ initialEntries: ["/@shop/tasks"] });
  const router = createRouter({ routeTree: root.addChildren([tenant.addChildren(pages)]), history });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  const input = await screen.findByRole("combobox");
  const type = (text: string) => fireEvent.change(input, { target: { value: text } });
  return { asked, input, type, onClose, history };
}

const error = { errorName: "NotFound" };
const noneExact = {
  ...{ task: error, item: error, referencedItem: error, variant: error, customer: error, order: error },
  referencedOrder: error,
};
const options = () => screen.getAllByRole("option").map(({ textContent }) => textContent);

afterEach(() => {
  vi.unstubAllGlobals();
});

test("shows why a part was not searched next to what was found, and tries again", async () => {
  let isAway = true;
  const { type } = await open("admin", (name) =>
    name === "FoundEntities" && isAway
      ? Promise.resolve(Response.json({ message: "The database does not answer" }, { status: 503 }))
      : undefined,
  );
  type("ta");
  await screen.findByText("The database does not answer");
  expect(options()).toEqual(["Tasks", "The database does not answerTry again"]);
  isAway = false;
  fireEvent.click(screen.getByText("Try again"));
  await screen.findByText("Lamp");
  expect(screen.queryByText("Try again")).toBeNull();
});

test("finds topics and price lists by name, each once, and links to all of a kind that may have more", async () => {
  const { type } = await open("admin", (name) =>
    name === "FoundEntities" ? Promise.resolve(Response.json({ data: foundWith(plain) })) : undefined,
  );
  type("oak");
  await screen.findByText("Oak sale");
  expect(options()).toEqual([
    ...["Oak wood/wood/oak", "Oak saleautumn", "All price lists with “oak”", "All shapes with “oak”"],
    ...["All pieces with “oak”", "All flows with “oak”"],
  ]);
  const links = screen.getAllByRole("option").map((option) => option.getAttribute("href"));
  expect(links.slice(0, 2)).toEqual([
    "/@shop/browse/topics?key=t1&language=de",
    "/@shop/browse/price-lists?key=autumn",
  ]);
});

const topic = { displayName: { name: "Oak wood", language: "en" }, path: "/wood/oak" };
const plain = {
  edges: [
    { ...{ kind: "topic", field: "name", value: "Oak wood", key: "t1", name: null, language: "de" }, topic },
    { ...{ kind: "topic", field: "name", value: "Oak wood", key: "t1", name: null, language: "en" }, topic },
    {
      ...{ kind: "priceList", field: "name", value: "Oak sale", key: "autumn", name: "Oak sale" },
      topic: null,
    },
  ].map((node) => ({ node })),
  pageInfo: { hasNextPage: true },
};
const foundWith = (plain: object) => ({
  ...{ items: nothing, variants: nothing, customers: nothing, orders: nothing, plain },
});

test("asks once after a pause in typing, and stops asking for what was typed before", async () => {
  const never = new Promise<Response>(() => {});
  const { type, asked } = await open("admin", (_, text) => (text === "lam" ? never : undefined));
  for (const text of ["l", "la", "lam"]) type(text);
  await waitFor(() => expect(asked.filter(({ text }) => text !== undefined)).toHaveLength(3));
  type("lamp");
  await screen.findByText("Lamp");
  const found = asked.filter(({ name }) => name === "FoundEntities");
  expect(found.map(({ text, signal }) => [text, signal.aborted])).toEqual([
    ["lam", true],
    ["lamp", false],
  ]);
});

test("lists an item once that has the text in several fields and languages", async () => {
  const { type } = await open("admin", () => undefined);
  type("lamp");
  await screen.findByText("1 result");
  expect(options()).toEqual(["Lampproduct/lamp"]);
});

test("opens by Enter what is found for the whole text, never what was found before", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { type, input, asked, history, onClose } = await open("admin", (name, text) =>
    name === "FoundEntities" && text === "desk" ? promise : undefined,
  );
  type("lamp");
  await screen.findByText("Lamp");
  type("desk");
  fireEvent.keyDown(input, { key: "Enter" });
  await waitFor(() => expect(asked.map(({ text }) => text)).toContain("desk"));
  expect(history.location.pathname).toBe("/@shop/tasks");
  const desk = { id: "i2", type: "product", displayName: { name: "Desk", language: "en" }, tree: null };
  const edges = [{ node: { value: "Desk", language: "en", item: desk } }];
  const data = { ...foundWith(nothing), items: { ...nothing, edges } };
  resolve(Response.json({ data }));
  await waitFor(() => expect(history.location.pathname).toBe("/@shop/browse/items/i2"));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("offers a reader nothing that writes", async () => {
  await open("reader", () => undefined);
  await screen.findByText("Dark theme");
  expect(options()).not.toContain("Run a file");
});
