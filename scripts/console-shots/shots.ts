import type { Page } from "playwright-core";
import type { Seeded } from "./seed.ts";

export type Theme = "light" | "dark";

export interface Shot {
  name: string;
  /** The page's URL below the tenant's. */
  path: (shop: Seeded) => string;
  /** A text on the page once it is loaded. */
  ready: string | RegExp;
  act?: (page: Page) => Promise<unknown>;
  /** True for a page of the tenant with 40 languages. */
  ofWorld?: boolean;
  /** The theme of its image in the documentation; without one it has no image. */
  inDocs?: Theme;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).last().click();
const hold = async (page: Page) => {
  await press("Hold …")(page);
  await press("Hold")(page);
  await page.getByText("held", { exact: true }).first().waitFor();
};
const languages = (page: Page) => page.getByRole("combobox", { name: "Language" }).click();
const choose = (page: Page) => page.getByRole("grid").press("Enter");

/** The pages, ordered so that each shows its feature: first those of the running task. */
export const shots: readonly Shot[] = [
  { name: "task-running", path: ({ tasks }) => `/tasks/${tasks.running}`, ready: /^Rate since/ },
  { name: "overview", path: () => "/overview", ready: /% of .* left/, inDocs: "light" },
  { name: "tasks", path: () => "/tasks", ready: /^running$/, inDocs: "light" },
  { name: "task-held", path: ({ tasks }) => `/tasks/${tasks.running}`, ready: "running", act: hold },
  { name: "task", path: ({ tasks }) => `/tasks/${tasks.failed}`, ready: "3 causes", inDocs: "light" },
  {
    name: "task-unrepaired",
    path: ({ tasks }) => `/tasks/${tasks.failed}?unrepaired=true`,
    ready: "2 causes",
  },
  { name: "task-filtered", path: ({ tasks }) => `/tasks/${tasks.failed}?text=sku`, ready: "28 operations" },
  { name: "task-retry", path: ({ tasks }) => `/tasks/${tasks.retry}`, ready: "2 causes" },
  { name: "retry", path: ({ tasks }) => `/tasks/${tasks.retry}`, ready: "2 causes", act: press("Retry …") },
  { name: "undo", path: ({ tasks }) => `/tasks/${tasks.failed}`, ready: "3 causes", act: press("Undo …") },
  { name: "task-invalid", path: ({ tasks }) => `/tasks/${tasks.invalid}`, ready: /prize/ },
  { name: "task-about", path: ({ tasks }) => `/tasks/${tasks.failed}?tab=about`, ready: "created" },
  { name: "task-pending", path: ({ tasks }) => `/tasks/${tasks.pending}`, ready: "Not started" },
  { name: "task-plan", path: ({ tasks }) => `/tasks/${tasks.plan}`, ready: "item/delete", inDocs: "light" },
  { name: "file", path: ({ tasks }) => `/tasks/${tasks.invalid}/file?issue=1`, ready: /prize/ },
  { name: "run", path: ({ tasks }) => `/run?task=${tasks.invalid}`, ready: /prize/, inDocs: "light" },
  { name: "task-undo", path: ({ tasks }) => `/tasks/${tasks.undo}`, ready: "product/update" },
  {
    name: "operation-failed",
    path: ({ tasks }) => `/tasks/${tasks.failed}/operations/2`,
    ready: /^Repaired/,
    inDocs: "light",
  },
  { name: "operation", path: ({ tasks }) => `/tasks/${tasks.failed}/operations/0`, ready: "Result" },
  { name: "operation-plan", path: ({ tasks }) => `/tasks/${tasks.plan}/operations/0`, ready: "Would change" },
  { name: "browse", path: () => "/browse", ready: "Tidewater Pottery", act: openFolder },
  { name: "browse-search", path: () => "/browse?text=lantern", ready: /Lantern mug/ },
  { name: "item", path: ({ product }) => `/browse/items/${product}`, ready: "Oatmeal", inDocs: "dark" },
  {
    name: "item-norwegian",
    path: ({ product }) => `/browse/items/${product}?language=no-nb`,
    ready: /tekanne/,
  },
  { name: "shapes", path: () => "/browse/shapes", ready: "pottery", act: choose },
  {
    name: "item-two-languages",
    path: ({ product }) => `/browse/items/${product}?second=no-nb`,
    ready: /tekanne/,
  },
  { name: "variants", path: () => "/browse/variants", ready: "bowl-anchor-celadon" },
  { name: "customers", path: () => "/browse/customers", ready: "Ida Lund" },
  { name: "customer", path: () => "/browse/customers/ida@example.com", ready: /^Orders/ },
  { name: "orders", path: () => "/browse/orders", ready: "Ida Lund" },
  { name: "order", path: () => "/browse/orders", ready: "Ida Lund", act: openFirst },
  { name: "world-browse", path: () => "/browse", ready: /玉露/, ofWorld: true },
  { name: "world-search", path: () => "/browse?text=玉露", ready: /玉露/, ofWorld: true },
  { name: "world-item", path: () => "/browse/variants/tea-4-100", ready: "tea-4-100", ofWorld: true },
  {
    name: "world-languages",
    path: () => "/browse/variants/tea-0-100",
    ready: "tea-0-100",
    act: languages,
    ofWorld: true,
  },
  {
    name: "world-two-languages",
    path: () => "/browse/variants/tea-0-100",
    ready: "tea-0-100",
    act: twoLanguages,
    ofWorld: true,
  },
  { name: "world-customers", path: () => "/browse/customers", ready: /田中/, ofWorld: true },
  { name: "world-customer", path: () => "/browse/customers/person-2", ready: /^Orders \(/, ofWorld: true },
  { name: "world-orders", path: () => "/browse/orders", ready: "W-11999", ofWorld: true },
  { name: "world-order", path: () => "/browse/orders", ready: "W-11999", act: openFirst, ofWorld: true },
  { name: "topics", path: () => "/browse/topics", ready: "Feasts" },
  { name: "price-lists", path: () => "/browse/price-lists", ready: /harbour/ },
  { name: "images", path: () => "/browse/images", ready: "glaze-moss", act: choose },
  { name: "pieces", path: () => "/browse/pieces", ready: "care" },
  { name: "tenant", path: () => "/tenant", ready: "1 GiB" },
  { name: "tenant-settings", path: () => "/tenant?tab=settings", ready: "Harbour shop" },
  { name: "tenant-tokens", path: () => "/tenant?tab=tokens", ready: "first token" },
  { name: "not-found", path: () => "/tasks/gone", ready: /NotFound/ },
];

async function openFirst(page: Page): Promise<void> {
  await page.getByRole("grid").press("Home");
  await page.getByRole("grid").press("Enter");
  await page.getByRole("heading", { name: /^Lines/ }).waitFor();
}

async function twoLanguages(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "Compare with" }).click();
  await page.getByRole("option", { name: /^ar/ }).click();
  await page.getByRole("region", { name: "ar", exact: true }).getByText("Type", { exact: true }).waitFor();
}

async function openFolder(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Folders in Tidewater Pottery" }).click();
  await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "Teapots" }).click();
  await page.getByRole("grid").getByText("Lantern teapot").waitFor();
}
