import { createRoute } from "@tanstack/react-router";
import { tenantRoute } from "../../layout/route.tsx";
import { oneOf, searchOf } from "../../layout/search.ts";
import { taskKinds, taskStatuses } from "../task-model/task.ts";

export const tasksRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tasks",
  staticData: { navigation: "Tasks" },
  validateSearch: searchOf({ status: oneOf(taskStatuses), kind: oneOf(taskKinds) }),
}).lazy(() => import("./page.tsx").then(({ page }) => page));
