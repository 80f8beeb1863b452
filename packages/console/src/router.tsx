import { createRouter } from "@tanstack/react-router";
import { queryClient } from "./api/query-client.ts";
import { NotFound, PageError, PagePending } from "./layout/page-states.tsx";
import { routes } from "./routes.ts";

export const router = createRouter({
  routeTree: routes,
  basepath: "/console",
  context: { queryClient },
  defaultPreload: "intent",
  // Filters change while typing: only a new page scrolls to its top.
  scrollRestoration: false,
  defaultPendingMs: 300,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
