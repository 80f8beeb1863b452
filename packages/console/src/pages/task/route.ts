import { createRoute } from "@tanstack/react-router";
import { tenantRoute } from "../../layout/route.tsx";
import { oneOf, searchOf, text, yes } from "../../layout/search.ts";
import { logActions, logStatuses, taskTabs } from "../task-model/task.ts";

export const taskRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tasks/$task",
  validateSearch: searchOf({
    tab: oneOf(taskTabs),
    status: oneOf(logStatuses),
    action: oneOf(logActions),
    intent: text,
    cause: text,
    text,
    error: text,
    unrepaired: yes,
  }),
}).lazy(() => import("./page.tsx").then(({ page }) => page));
