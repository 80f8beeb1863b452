import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { runFile } from "../../support/service.ts";
import { describeConsole } from "./browser.ts";
import { openPersonConsole, type PersonConsole } from "./persons.ts";

const group = (name: string) => ({ intent: "customer/group/upsert", identifier: name, name });
const draft = JSON.stringify({ version: "1.0.0", operations: [group("planned")] });

describeConsole("signing in to the console as a person", () => {
  let browser: PersonConsole;
  const tabs: Page[] = [];

  beforeAll(async () => {
    browser = await openPersonConsole();
    browser.idp.persons.set("ada", { name: "Ada Lovelace", groups: ["planners"] });
    browser.idp.persons.set("bo", { name: "Bo Diddley", groups: ["readers"] });
    browser.idp.persons.set("eve", { name: "Eve Polastri", groups: ["marketing"] });
    await Promise.all([browser.map("planners", "planner"), browser.map("readers", "reader")]);
    await runFile(browser.tenant, { version: "1.0.0", operations: [group("stored")] });
  });
  beforeEach(() => {
    Object.assign(browser.idp, { signedIn: "ada", issuesRefreshTokens: true });
  });
  afterEach(async () => {
    await Promise.all(tabs.splice(0).map((tab) => tab.context().close()));
  });
  afterAll(() => browser?.close());

  /** A tab of a browser that nobody has used. */
  const newBrowser = async (): Promise<Page> => {
    const context = await browser.page.context().browser()?.newContext();
    const tab = await context?.newPage();
    if (tab === undefined) throw new Error("the browser was closed");
    tab.setDefaultTimeout(10_000);
    tabs.push(tab);
    return tab;
  };
  const editorOf = (tab: Page) => tab.getByRole("textbox", { name: /^Mass operation file/ });
  const heading = (tab: Page, name: string) => tab.getByRole("heading", { name, exact: true });
  const link = (tab: Page) => tab.getByRole("link", { name: /^Sign in with/ });
  const focus = async (tab: Page) => {
    // Data is stale after a second.
    await tab.waitForTimeout(1_100);
    // The page may be leaving to renew its session.
    await tab.evaluate("dispatchEvent(new Event('focus'))").catch(() => {});
  };
  const mark = (tab: Page) => tab.evaluate("window.isSameDocument = true");
  const isSameDocument = (tab: Page) => tab.evaluate("window.isSameDocument === true");
  const sessionEnds = () => browser.execute("UPDATE person_sessions SET expires_at = now()");
  const renewalIsDue = () =>
    browser.execute("UPDATE person_sessions SET verified_at = verified_at - interval '5 minutes'");
  const renewals = () => browser.idp.asked.filter((path) => path === "/token").length;

  test("a person without a group that has a role reads what would be right", async () => {
    const tab = await newBrowser();
    browser.idp.signedIn = "eve";
    await tab.goto(browser.at("/@shop/tasks"));
    await link(tab).click();
    await heading(tab, "You are not signed in").waitFor();
    const text = await tab.locator("body").innerText();
    expect(text).toContain("knows you as Eve Polastri, but none of your groups has a role");
    expect(text).toContain("Your groups: marketing.");
    expect(text).toContain("lading group map <group> --tenant <tenant> --role reader");
    await tab.getByRole("link", { name: "Back to the sign-in page" }).click();
    await link(tab).waitFor();
  });

  test("a person lands signed in on the page that they asked for, and signing out ends that", async () => {
    const { page } = browser;
    await browser.open("/@shop/tasks?view=held");
    await link(page).waitFor();
    await browser.expectAccessible();
    await browser.shoot("sign-in-person");
    const addresses: string[] = [];
    const note = () => addresses.push(new URL(page.url()).pathname);
    await link(page).click();
    page.on("framenavigated", note);
    await page.waitForURL(browser.at("/@shop/tasks?view=held"));
    await page.getByText("Ada Lovelace").waitFor();
    page.off("framenavigated", note);
    expect(addresses.filter((path) => path.startsWith("/console"))).not.toContain("/console/sign-in");
    const [session, ...others] = (await page.context().cookies(browser.at("/"))).filter(({ name }) =>
      name.startsWith("lading"),
    );
    expect(session).toMatchObject({ name: /session/, sameSite: "Strict", httpOnly: true });
    expect(others).toEqual([]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You have signed out here.").waitFor();
    await browser.open("/@shop/tasks");
    await link(page).waitFor();
    expect(page.url()).toContain("/sign-in?");
    expect(await page.getByText("You have signed out here.").count()).toBe(0);
  });

  test("a tab that showed another site when its browser signed out does not sign in again by itself", async () => {
    const tab = await newBrowser();
    await browser.signIn(tab, "/@shop/tasks");
    await heading(tab, "Tasks").waitFor();
    const other = await tab.context().newPage();
    await other.goto(browser.at("/@shop/tasks"));
    await other.getByText("Ada Lovelace").waitFor();
    await tab.goto("about:blank");
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.getByText("You have signed out here.").waitFor();
    await tab.goto(browser.at("/@shop/tasks"));
    await link(tab).waitFor();
  });

  test("signing out works when the session has ended already", async () => {
    const tab = await newBrowser();
    await browser.signIn(tab, "/@shop/run");
    await editorOf(tab).fill(draft);
    await sessionEnds();
    await tab.getByRole("button", { name: "Sign out" }).click();
    await link(tab).waitFor();
    expect(await tab.evaluate("sessionStorage.length")).toBe(0);
  });

  test("a renewal by the service loses neither the page nor its input", async () => {
    const tab = await newBrowser();
    await browser.signIn(tab, "/@shop/run");
    await editorOf(tab).fill(draft);
    await mark(tab);
    const before = renewals();
    await renewalIsDue();
    await tab.getByRole("button", { name: "Plan" }).click();
    await tab.waitForURL(/\/tasks\//);
    expect([await isSameDocument(tab), renewals() - before]).toEqual([true, 1]);
  });

  test("a page whose session ends without a refresh token signs in again by itself, and is shown again", async () => {
    const tab = await newBrowser();
    browser.idp.issuesRefreshTokens = false;
    await browser.signIn(tab, "/@shop/tasks?view=held");
    // What the page asks for while it loads would hide what it asks for when it gets the focus.
    await tab.getByText("Ada Lovelace").waitFor();
    await mark(tab);
    await sessionEnds();
    await focus(tab);
    await expect.poll(() => isSameDocument(tab).catch(() => true), { timeout: 10_000 }).toBe(false);
    await tab.waitForURL(browser.at("/@shop/tasks?view=held"));
    await tab.getByText("Ada Lovelace").waitFor();
  });

  test("a silent sign-in that the provider refuses leads to the sign-in page, and then to the page", async () => {
    const tab = await newBrowser();
    browser.idp.issuesRefreshTokens = false;
    await browser.signIn(tab, "/@shop/tasks?view=held");
    browser.idp.endSessions();
    await sessionEnds();
    await focus(tab);
    await tab.getByText("your session has ended").waitFor();
    await link(tab).click();
    await tab.waitForURL(browser.at("/@shop/tasks?view=held"));
    await heading(tab, "Tasks").waitFor();
  });

  test("a tab with a draft keeps it when the session ends, says so, and sends it after a sign-in in another tab", async () => {
    const tab = await newBrowser();
    browser.idp.issuesRefreshTokens = false;
    await browser.signIn(tab, "/@shop/run");
    await editorOf(tab).fill(draft);
    await mark(tab);
    await sessionEnds();
    await tab.getByRole("button", { name: "Plan" }).click();
    await tab.getByText("your session has ended").waitFor();
    await tab.getByText("This one keeps your edits").waitFor();
    const opened = tab.context().waitForEvent("page");
    await link(tab).click();
    await heading(await opened, "You are signed in").waitFor();
    await (await opened).close();
    await focus(tab);
    await tab.waitForURL(browser.at("/@shop/run"));
    await expect.poll(() => editorOf(tab).innerText()).toContain("planned");
    await tab.getByRole("button", { name: "Plan" }).click();
    await tab.waitForURL(/\/tasks\//);
    expect(await isSameDocument(tab)).toBe(true);
  });

  test("the page Run leads to a sign-in when it is returned to after the end of its session", async () => {
    const tab = await newBrowser();
    browser.idp.issuesRefreshTokens = false;
    await browser.signIn(tab, "/@shop/run");
    await editorOf(tab).fill(draft);
    await sessionEnds();
    await focus(tab);
    await tab.getByText("This one keeps your edits").waitFor();
  });

  test("two tabs that sign in together both work", async () => {
    const tab = await newBrowser();
    const other = await tab.context().newPage();
    await Promise.all([tab.goto(browser.at("/@shop/tasks")), other.goto(browser.at("/@shop/overview"))]);
    await Promise.all([link(tab).waitFor(), link(other).waitFor()]);
    await Promise.all([link(tab).click(), link(other).click()]);
    await tab.waitForURL(browser.at("/@shop/tasks"));
    await other.waitForURL(browser.at("/@shop/overview"));
    await heading(tab, "Tasks").waitFor();
    await other.getByRole("link", { name: "Tenant", exact: true }).click();
    await heading(other, "shop").waitFor();
    await other.reload();
    await other.getByText("Ada Lovelace").waitFor();
  });

  test("a tab does not show what another person had read in it", async () => {
    const tab = await newBrowser();
    browser.idp.issuesRefreshTokens = false;
    await browser.signIn(tab, "/@shop/tenant");
    await heading(tab, "shop").waitFor();
    await tab.getByRole("link", { name: "Run", exact: true }).click();
    await tab.getByRole("button", { name: "Plan" }).waitFor();
    await tab.context().clearCookies();
    browser.idp.signedIn = "bo";
    const other = await tab.context().newPage();
    await browser.signIn(other, "/@shop/overview");
    await other.getByText("Bo Diddley").waitFor();
    await focus(tab);
    await tab.getByText("Bo Diddley").waitFor();
    await tab.getByText("You have the role reader").waitFor();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: read, resolve: answer } = Promise.withResolvers<void>();
    await tab.route("**/@shop", async (route) => {
      ask();
      await read;
      await route.continue();
    });
    await tab.getByRole("link", { name: "Tenant", exact: true }).click();
    await tab.waitForURL(/\/tenant$/);
    await asked;
    expect(await heading(tab, "shop").count()).toBe(0);
    answer();
    await heading(tab, "shop").waitFor();
  });
});
