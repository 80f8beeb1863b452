import { createRoute } from "@tanstack/react-router";
import { tenantRoute } from "../../layout/route.tsx";
import { searchOf, text } from "../../layout/search.ts";

export const runRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/run",
  staticData: { navigation: "Run" },
  // The task whose file is opened.
  validateSearch: searchOf({ task: text }),
}).lazy(() => import("./page.tsx").then(({ page }) => page));
