import { createRoute } from "@tanstack/react-router";
import { tenantRoute } from "../../layout/route.tsx";

export const operationRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tasks/$task/operations/$index",
}).lazy(() => import("./page.tsx").then(({ page }) => page));
