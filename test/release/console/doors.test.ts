import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pendingTask, runFile, tokenHeaders } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const group = (name: string) => ({ intent: "customer/group/upsert", identifier: name, name });

describeConsole("signing in to the console", () => {
  let browser: ConsoleBrowser;
  let foreign: Server;
  let task: string;

  beforeAll(async () => {
    browser = await openConsole();
    task = await pendingTask(browser.tenant);
    // Pages on another port, on the same host or an alias of it.
    foreign = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>Elsewhere</title>");
    });
    await new Promise<void>((resolve) => foreign.listen(0, resolve));
  });
  afterAll(async () => {
    foreign?.close();
    await browser?.close();
  });

  /** Number of audit entries and customer groups, which any use of a session would change. */
  const state = () =>
    browser.tenant.graphql(
      `{ auditTrail { ... on AuditEntryConnection { totalCount } ... on BasicError { error } }
         customerGroups { ... on CustomerGroupConnection { totalCount } ... on BasicError { error } } }`,
    );
  const strangersPage = async (): Promise<Page> => {
    const context = await browser.page.context().browser()?.newContext();
    if (context === undefined) throw new Error("the browser was closed");
    return context.newPage();
  };
  const newAddress = async (): Promise<{ url: string; code: string }> => {
    const options = { method: "POST", headers: tokenHeaders(browser.tenant) };
    return (await fetch(`${browser.tenant.address}/console-code`, options)).json();
  };
  const addressesOf = async (page: Page): Promise<string[]> => {
    const session = await page.context().newCDPSession(page);
    return (await session.send("Page.getNavigationHistory")).entries.map(({ url }) => url);
  };

  test("a sign-in link does nothing without confirmation, and leaves its code nowhere", async () => {
    const [page, before] = [await strangersPage(), await state()];
    await page.goto("about:blank");
    const { url, code } = await newAddress();
    await page.goto(url);
    await page.getByRole("heading", { name: "Sign in to shop?" }).waitFor();
    expect((await addressesOf(page)).join(" ")).not.toContain(code);
    await page.getByRole("button", { name: "Do not sign in" }).click();
    await page.getByLabel("Secret").waitFor();
    await page.reload();
    await page.getByLabel("Secret").waitFor();
    expect((await addressesOf(page)).join(" ")).not.toContain(code);
    expect(await state()).toEqual(before);
    await page.context().close();
  });

  test("a link with the code of another tenant signs in to neither", async () => {
    const [page, before] = [await strangersPage(), await state()];
    await page.goto((await newAddress()).url.replace("tenant=shop", "tenant=bank"));
    await page.getByRole("heading", { name: "Sign in to bank?" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await page.getByRole("alert").textContent()).toMatch(/Unknown code/);
    expect(await state()).toEqual(before);
    await page.context().close();
  });

  test("a sign-in link works once, by pressing Enter", async () => {
    const page = await strangersPage();
    const { url, code } = await newAddress();
    await page.goto(url);
    const button = page.getByRole("button", { name: "Sign in to shop" });
    await button.waitFor();
    // A repeating key was pressed on the page before.
    const session = await page.context().newCDPSession(page);
    const held = { type: "rawKeyDown", key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 } as const;
    await session.send("Input.dispatchKeyEvent", { ...held, autoRepeat: true });
    await session.send("Input.dispatchKeyEvent", { type: "char", text: "\r", autoRepeat: true });
    await session.send("Input.dispatchKeyEvent", { ...held, type: "keyUp" });
    expect(await button.isVisible()).toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.pathname === "/console/@shop/overview");
    expect((await addressesOf(page)).join(" ")).not.toContain(code);
    await page.context().clearCookies();
    await page.goto(url);
    await page.getByRole("button", { name: "Sign in to shop" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/Unknown code/);
    await page.context().close();
  });

  test("the confirmation of a link is accessible, in both themes", async () => {
    const { page } = browser;
    await page.goto((await newAddress()).url);
    await page.getByRole("heading", { name: "Sign in to shop?" }).waitFor();
    await browser.expectAccessible();
    await browser.shoot("sign-in-by-code");
    await page.getByRole("button", { name: "Do not sign in" }).click();
  });

  const signIn = async (page: Page) => {
    await page.getByLabel("Token id").fill(browser.tenant.access.accessTokenId);
    await page.getByLabel("Secret").fill(browser.tenant.access.accessTokenSecret);
    await page.keyboard.press("Enter");
  };
  const editorOf = (page: Page) => page.getByRole("textbox", { name: /^Mass operation file/ });
  const draft = JSON.stringify({ version: "1.0.0", operations: [group("planned")] });

  interface End {
    path: string;
    begin?(page: Page): Promise<unknown>;
    /** Acts as a reader whose session has ended. */
    act(page: Page): Promise<unknown>;
    /** Waits for the page after the next sign-in. */
    seen(page: Page): Promise<unknown>;
  }
  const ends: Record<string, End> = {
    "a file is sent": {
      path: "/run",
      begin: (page) => editorOf(page).fill(draft),
      act: (page) => page.getByRole("button", { name: "Plan" }).click(),
      seen: (page) => editorOf(page).getByText("planned").first().waitFor(),
    },
    "a task is retried": {
      path: "/tasks/failed",
      begin: (page) => page.getByRole("button", { name: "Retry …" }).click(),
      act: (page) => page.getByRole("button", { name: /^Retry 1/ }).click(),
      seen: (page) => page.getByRole("button", { name: "Retry …" }).waitFor(),
    },
    "the reader comes back to a list": {
      path: "/browse/customers",
      act: (page) => page.evaluate("dispatchEvent(new Event('focus'))"),
      seen: (page) => page.getByRole("heading", { name: "Customers", exact: true }).waitFor(),
    },
  };

  test.each(Object.entries(ends))(
    "a session that ended before %s leads to sign-in, and back",
    async (_, { path, begin, act, seen }) => {
      const { tenant, page } = browser;
      const operations = [{ intent: "product/variant/delete", sku: "none" }];
      const { id } = await runFile(tenant, { version: "1.0.0", operations });
      const address = `/@shop${path.replace("failed", id)}`;
      await browser.open(address);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await begin?.(page);
      // Data is stale after a second.
      await page.waitForTimeout(1_100);
      await page.context().clearCookies();
      await act(page);
      await page.waitForURL(/\/sign-in/);
      await signIn(page);
      await page.waitForURL((url) => url.pathname === `/console${address}`);
      await seen(page);
    },
  );

  test("signing out in one tab signs out all, and drops their drafts", async () => {
    const page = await browser.page.context().newPage();
    await page.goto(`${browser.service.url}/console/@shop/run`);
    await editorOf(page).fill(draft);
    const waiting = await browser.page.context().newPage();
    await waiting.goto(`${browser.service.url}/console/@shop/run`);
    await editorOf(waiting).fill(draft);
    await waiting.getByLabel("Tenant", { exact: true }).selectOption("Sign in to another …");
    await waiting.getByLabel("Secret").waitFor();
    await browser.open("/@shop/tasks");
    await browser.page.getByRole("button", { name: "Sign out" }).click();
    for (const tab of [page, waiting]) {
      await tab.waitForURL(/\/sign-in/);
      // Until the page of the address is shown, the list of tenants has this label.
      await tab.getByRole("textbox", { name: "Tenant", exact: true }).fill("shop");
      await signIn(tab);
      await tab.waitForURL(/\/@shop\//);
      await tab.getByRole("link", { name: "Run", exact: true }).click();
      await editorOf(tab).waitFor();
      expect(await editorOf(tab).innerText()).not.toContain("planned");
      await tab.close();
    }
    browser.reports.splice(0);
  });

  test("a page of a tenant that is deleted leads to sign-in", async () => {
    const { service, page } = browser;
    const gone = await service.tenant("gone");
    const { accessTokenId, accessTokenSecret } = gone.access;
    const opened = await page.context().request.post(`${service.url}/console/session`, {
      headers: { "sec-fetch-site": "same-origin" },
      data: { tenant: "gone", accessTokenId, accessTokenSecret },
    });
    expect(opened.status()).toBe(200);
    await browser.open("/@gone/tenant");
    await page.getByText("Operations executed").waitFor();
    const query =
      'mutation { deleteTenant(identifier: "gone") { ... on DeletedTenant { id } ... on BasicError { error } } }';
    await fetch(`${service.url}/operator`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${service.operatorToken}` },
      body: JSON.stringify({ query }),
    });
    await page.getByRole("link", { name: "Browse" }).click();
    await page.waitForURL(/\/sign-in\?tenant=gone/);
    // A request that is still open is answered 404 too, which must not be reported later.
    await page.goto("about:blank");
    browser.reports.splice(0);
  });

  /** Ways for a page to try to use its browser's session. */
  const attempts: Record<string, string> = {
    "a mutation by POST": `fetch(core, { method: "POST", credentials: "include", mode: "no-cors", body: mutation })`,
    "a mutation by POST of JSON": `fetch(core, { method: "POST", credentials: "include",
       headers: { "content-type": "application/json" }, body: mutation })`,
    "a form": `new Promise((resolve) => {
       const frame = document.body.appendChild(document.createElement("iframe"));
       const form = frame.contentDocument.body.appendChild(document.createElement("form"));
       Object.assign(form, { method: "post", action: core, enctype: "text/plain" });
       form.append(Object.assign(document.createElement("input"), { name: mutation, value: "" }));
       frame.onload = resolve;
       form.submit();
     })`,
    "a file by fetch": `fetch(core + "/tasks/" + task + "/file", { credentials: "include", mode: "no-cors" })`,
    "the end of the session": `fetch(service + "/console/session",
       { method: "DELETE", credentials: "include" })`,
    "an event stream by EventSource": `new Promise((resolve) => {
       const events = new EventSource(core + "/tasks/" + task + "/events", { withCredentials: true });
       events.onmessage = events.onopen = events.onerror = () => (events.close(), resolve());
     })`,
    "an event stream by fetch": `fetch(core + "/tasks/" + task + "/events",
       { credentials: "include", mode: "no-cors" }).then((response) => response.body?.cancel())`,
    "a subscription by fetch": `fetch(core, { method: "POST", credentials: "include", mode: "no-cors",
       headers: { accept: "text/event-stream" }, body: subscription })`,
  };

  let attempted = 0;

  /** Makes an attempt on a page; returns the statuses of its requests, including preflights. */
  const tryOn = async (page: Page, attempt: string): Promise<number[]> => {
    const { url } = browser.service;
    const statuses: number[] = [];
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.enable");
    cdp.on("Network.responseReceived", ({ response }) => {
      if (response.url.startsWith(url) && !response.url.endsWith("/favicon.ico"))
        statuses.push(response.status);
    });
    const names = {
      ...{ service: url, core: browser.tenant.address, task },
      mutation: JSON.stringify({
        query: `mutation { createCustomerGroup(input: {identifier: "planted-${attempted++}", name: "Planted"}) {
          ... on CustomerGroup { identifier } ... on BasicError { error } } }`,
      }),
      subscription: JSON.stringify({ query: `subscription { bulkTask(id: "${task}") { __typename } }` }),
    };
    await page.evaluate(
      `(async ({ ${Object.keys(names)} }) => { await ${attempt}; })(${JSON.stringify(names)}).catch(() => {})`,
    );
    await cdp.detach();
    return statuses;
  };
  const foreignPage = async (host: string): Promise<Page> => {
    const page = await browser.page.context().newPage();
    await page.goto(`http://${host}:${(foreign.address() as AddressInfo).port}/`);
    return page;
  };

  test("a same-origin page can use the session in these ways", async () => {
    const page = await browser.page.context().newPage();
    await page.goto(`${browser.service.url}/health/live`);
    const ways = ["a mutation by POST of JSON", "a file by fetch", "an event stream by EventSource"];
    for (const way of [...ways, "an event stream by fetch"])
      expect(await tryOn(page, attempts[way] ?? ""), way).toEqual([200]);
    await page.close();
  });

  test.each(["127.0.0.1", "localhost"])(
    "a page on another port at %s cannot use the session for a request, form, stream or WebSocket",
    async (host) => {
      const [page, before] = [await foreignPage(host), await state()];
      for (const [name, attempt] of Object.entries(attempts)) {
        const statuses = await tryOn(page, attempt);
        // Without CORS the browser blocks requests that need a preflight.
        expect(
          statuses.filter((status) => ![400, 401, 403, 404].includes(status)),
          name,
        ).toEqual([]);
      }
      for (const path of ["/@shop", `/@shop/tasks/${task}/events`, "/console/session"])
        expect(
          await page.evaluate(`new Promise((resolve) => {
            const socket = new WebSocket(${JSON.stringify(browser.service.url.replace("http", "ws") + path)});
            socket.onopen = () => resolve("opened");
            socket.onerror = () => resolve("refused");
          })`),
          path,
        ).toBe("refused");
      expect(await state()).toEqual(before);
      await browser.open("/@shop/tasks");
      await browser.page.getByRole("grid", { name: "Tasks" }).waitFor();
      await page.close();
      expect(browser.reports.splice(0)).toEqual([]);
    },
  );
});
