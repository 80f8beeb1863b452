import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../../layout/route.tsx";
import { searchOf, text } from "../../layout/search.ts";

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: searchOf({ tenant: text, then: text }),
}).lazy(() => import("./page.tsx").then(({ page }) => page));
