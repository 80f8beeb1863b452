import {
  actions,
  bulkTaskKinds,
  bulkTaskStatuses,
  operationStatuses,
} from "@lading/schema/internal/bulk-task";
import { exportKinds } from "@lading/schema/internal/export-kinds";
import { createRoute, redirect } from "@tanstack/react-router";
import { waitingCode } from "./api/one-time-code.ts";
import { sessionQuery } from "./api/session.ts";
import { firstPage } from "./layout/navigation.ts";
import { rootRoute, SessionPending, tenantRoute } from "./layout/route.tsx";
import { day, oneOf, searchOf, tenantIdentifier, text, wholeNumber, yes } from "./layout/search.ts";
import { itemTabs, searchKinds } from "./pages/browse-model/words.ts";
import { activityQuery, sizesQuery } from "./pages/overview/activity-query.ts";
import { overviewQuery } from "./pages/task-model/overview.ts";
import { taskTabs, taskViews } from "./pages/task-model/task.ts";

const tenantTabs = ["usage", "settings", "tokens"] as const;

const tenantPageRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tenant",
  staticData: { navigation: "Tenant" },
  validateSearch: searchOf({ tab: oneOf(tenantTabs) }),
}).lazy(() => import("./pages/tenant/page.tsx").then(({ page }) => page));

const overviewRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/overview",
  staticData: { navigation: "Overview" },
  loader: async ({ context: { queryClient }, params: { tenant } }) => {
    // What can take longer is not waited for.
    void queryClient.prefetchQuery(activityQuery(tenant));
    void queryClient.prefetchQuery(sizesQuery(tenant));
    await queryClient.ensureQueryData(overviewQuery(tenant));
  },
}).lazy(() => import("./pages/overview/page.tsx").then(({ page }) => page));

const tasksRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tasks",
  staticData: { navigation: "Tasks" },
  validateSearch: searchOf({
    view: oneOf(taskViews),
    text,
    from: day,
    until: day,
    status: oneOf(bulkTaskStatuses),
    kind: oneOf(bulkTaskKinds),
  }),
}).lazy(() => import("./pages/tasks/page.tsx").then(({ page }) => page));

const taskRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tasks/$task",
  staticData: { title: "Task" },
  validateSearch: searchOf({
    tab: oneOf(taskTabs),
    status: oneOf(operationStatuses),
    action: oneOf(actions),
    intent: text,
    cause: text,
    text,
    error: text,
    unrepaired: yes,
    // The run that this one is compared with.
    with: text,
  }),
}).lazy(() => import("./pages/task/page.tsx").then(({ page }) => page));

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  staticData: { title: "Sign in" },
  validateSearch: searchOf({ tenant: tenantIdentifier, then: text }),
}).lazy(() => import("./pages/sign-in/page.tsx").then(({ page }) => page));

const runRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/run",
  staticData: { navigation: "Run" },
  // The task whose file is opened, or whether that of the example is.
  validateSearch: searchOf({ task: text, example: yes }),
}).lazy(() => import("./pages/run/page.tsx").then(({ page }) => page));

const operationRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tasks/$task/operations/$index",
  staticData: { title: "Operation" },
}).lazy(() => import("./pages/operation/page.tsx").then(({ page }) => page));

const kindRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse/$kind",
  staticData: { title: "Browse" },
  validateSearch: searchOf({ key: text, language: text }),
}).lazy(() => import("./pages/kind/page.tsx").then(({ page }) => page));

const exportRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse/export",
  staticData: { title: "Export" },
  validateSearch: searchOf({
    kind: oneOf(exportKinds),
    shape: text,
    language: text,
    // The folder that the rows are in, and whether those of its subfolders are, too.
    folder: text,
    deep: yes,
    where: text,
    columns: text,
    publish: yes,
    // The search that led here.
    text,
  }),
}).lazy(() => import("./pages/export/page.tsx").then(({ page }) => page));

const itemRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse/items/$item",
  staticData: { title: "Item" },
  validateSearch: searchOf({ language: text, second: text, version: oneOf(itemTabs), sku: text }),
}).lazy(() => import("./pages/item/page.tsx").then(({ page }) => page));

const orderRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse/orders/$order",
  staticData: { title: "Order" },
}).lazy(() => import("./pages/order/page.tsx").then(({ page }) => page));

const customerRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse/customers/$customer",
  staticData: { title: "Customer" },
}).lazy(() => import("./pages/customer/page.tsx").then(({ page }) => page));

const variantRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse/variants/$sku",
  staticData: { title: "Variant" },
}).lazy(() => import("./pages/variant/page.tsx").then(({ page }) => page));

/** `/console`: the first page of the session's first tenant. */
const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  pendingComponent: SessionPending,
  beforeLoad: async ({ context }) => {
    if (waitingCode() !== undefined) throw redirect({ to: "/sign-in" });
    const { tenants } = await context.queryClient.ensureQueryData(sessionQuery);
    const [first] = tenants;
    if (first === undefined) throw redirect({ to: "/sign-in" });
    throw redirect({ to: firstPage, params: { tenant: first.identifier } });
  },
});

const fileRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tasks/$task/file",
  staticData: { title: "File" },
  // A byte, an operation by its number from 0, or an issue by its number from 1.
  validateSearch: searchOf({ offset: wholeNumber, operation: wholeNumber, issue: wholeNumber }),
}).lazy(() => import("./pages/file/page.tsx").then(({ page }) => page));

const browseRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse",
  staticData: { navigation: "Browse" },
  validateSearch: searchOf({ text, kind: oneOf(searchKinds), folder: text, language: text }),
}).lazy(() => import("./pages/browse/page.tsx").then(({ page }) => page));

/** Every page of the console. The navigation has them in this order. */
export const routes = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  tenantRoute.addChildren([
    overviewRoute,
    tasksRoute,
    taskRoute,
    operationRoute,
    fileRoute,
    runRoute,
    browseRoute,
    itemRoute,
    orderRoute,
    customerRoute,
    variantRoute,
    exportRoute,
    kindRoute,
    tenantPageRoute,
  ]),
]);
