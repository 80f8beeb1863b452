import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { renewSilently } from "../api/person.ts";
import { sessionQuery } from "../api/session.ts";
import { NotFound, PagePending } from "./page-states.tsx";
import { useDocumentTitle } from "./page-title.ts";
import { Away, TenantFrame } from "./tenant-frame.tsx";

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Console,
  notFoundComponent: NowhereFound,
});

function Console() {
  useDocumentTitle();
  return <Outlet />;
}

/** Shown while the session is read, before there is a frame. */
export const SessionPending = () => (
  <main>
    <Away />
    <PagePending />
  </main>
);

/** A URL without a tenant has no frame. */
function NowhereFound() {
  return (
    <main>
      <NotFound />
    </main>
  );
}

/** Pages of a tenant: anyone not signed in to it is sent to sign in, and then back to the page. */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/@{$tenant}",
  beforeLoad: async ({ context, params: { tenant }, location, preload }) => {
    const { tenants } = await context.queryClient.ensureQueryData(sessionQuery);
    if (tenants.some((held) => held.identifier === tenant)) return;
    if (tenants.length === 0 && !preload) await renewSilently(location.href);
    throw redirect({ to: "/sign-in", search: { tenant, then: location.href } });
  },
  component: TenantFrame,
  pendingComponent: SessionPending,
});
