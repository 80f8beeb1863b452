import { createRoute } from "@tanstack/react-router";
import { tenantRoute } from "../../layout/route.tsx";
import { searchOf, wholeNumber } from "../../layout/search.ts";

export const fileRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tasks/$task/file",
  // A byte, an operation by its number from 0, or an issue by its number from 1.
  validateSearch: searchOf({ offset: wholeNumber, operation: wholeNumber, issue: wholeNumber }),
}).lazy(() => import("./page.tsx").then(({ page }) => page));
