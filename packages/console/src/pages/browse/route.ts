import { createRoute } from "@tanstack/react-router";
import { tenantRoute } from "../../layout/route.tsx";
import { oneOf, searchOf, text } from "../../layout/search.ts";
import { searchKinds } from "../browse-model/words.ts";

export const browseRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/browse",
  staticData: { navigation: "Browse" },
  validateSearch: searchOf({ text, kind: oneOf(searchKinds), folder: text, language: text }),
}).lazy(() => import("./page.tsx").then(({ page }) => page));
