import { createRoute } from "@tanstack/react-router";
import { tenantRoute } from "../../layout/route.tsx";
import { searchOf, text } from "../../layout/search.ts";

export const kindRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse/$kind",
  validateSearch: searchOf({ key: text, language: text }),
}).lazy(() => import("./page.tsx").then(({ page }) => page));
