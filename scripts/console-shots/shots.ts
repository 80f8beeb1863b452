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
  /** The theme of its image in the documentation; without one it has no image. */
  inDocs?: Theme;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).last().click();
const hold = async (page: Page) => {
  await press("Hold …")(page);
  await press("Hold")(page);
  await page.getByText("held", { exact: true }).first().waitFor();
};
const choose = (page: Page) => page.getByRole("grid").press("Enter");

/** The pages, ordered so that each shows its feature: first those of the running task. */
export const shots: readonly Shot[] = [
  { name: "task-running", path: ({ tasks }) => `/tasks/${tasks.running}`, ready: /^Rate since/ },
  { name: "overview", path: () => "/overview", ready: /% of .* left/ },
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
  { name: "customers", path: () => "/browse/customers", ready: "Ida", act: choose },
  { name: "orders", path: () => "/browse/orders", ready: /Ida/, act: choose },
  { name: "topics", path: () => "/browse/topics", ready: "Feasts" },
  { name: "price-lists", path: () => "/browse/price-lists", ready: /harbour/ },
  { name: "images", path: () => "/browse/images", ready: "glaze-moss", act: choose },
  { name: "pieces", path: () => "/browse/pieces", ready: "care" },
  { name: "tenant", path: () => "/tenant", ready: "1 GiB" },
  { name: "tenant-settings", path: () => "/tenant?tab=settings", ready: "Harbour shop" },
  { name: "tenant-tokens", path: () => "/tenant?tab=tokens", ready: "first token" },
  { name: "not-found", path: () => "/tasks/gone", ready: /NotFound/ },
];

async function openFolder(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Folders in Tidewater Pottery" }).click();
  await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "Teapots" }).click();
  await page.getByRole("grid").getByText("Lantern teapot").waitFor();
}
