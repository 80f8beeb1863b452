import { createRoute } from "@tanstack/react-router";
import { tenantRoute } from "../../layout/route.tsx";
import { oneOf, searchOf } from "../../layout/search.ts";
import { tenantTabs } from "./tabs.ts";

export const tenantPageRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/tenant",
  staticData: { navigation: "Tenant" },
  validateSearch: searchOf({ tab: oneOf(tenantTabs) }),
}).lazy(() => import("./page.tsx").then(({ page }) => page));
