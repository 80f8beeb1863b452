import { rootRoute, tenantRoute } from "./layout/route.tsx";
import { browseRoute } from "./pages/browse/route.ts";
import { fileRoute } from "./pages/file/route.ts";
import { homeRoute } from "./pages/home/route.ts";
import { itemRoute } from "./pages/item/route.ts";
import { kindRoute } from "./pages/kind/route.ts";
import { operationRoute } from "./pages/operation/route.ts";
import { runRoute } from "./pages/run/route.ts";
import { signInRoute } from "./pages/sign-in/route.ts";
import { taskRoute } from "./pages/task/route.ts";
import { tasksRoute } from "./pages/tasks/route.ts";
import { tenantPageRoute } from "./pages/tenant/route.ts";

/** Every page of the console. A page of a tenant is one line among the children of its route. */
export const routes = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  tenantRoute.addChildren([
    tasksRoute,
    taskRoute,
    operationRoute,
    fileRoute,
    runRoute,
    browseRoute,
    itemRoute,
    kindRoute,
    tenantPageRoute,
  ]),
]);
