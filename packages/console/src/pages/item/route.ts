import { createRoute } from "@tanstack/react-router";
import { tenantRoute } from "../../layout/route.tsx";
import { oneOf, searchOf, text } from "../../layout/search.ts";
import { versions } from "../browse-model/words.ts";

export const itemRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse/items/$item",
  validateSearch: searchOf({ language: text, version: oneOf(versions) }),
}).lazy(() => import("./page.tsx").then(({ page }) => page));
