import { createRoute, redirect } from "@tanstack/react-router";
import { waitingCode } from "../../api/one-time-code.ts";
import { sessionQuery } from "../../api/session.ts";
import { rootRoute } from "../../layout/route.tsx";

/** `/console`: the tasks of the first tenant that the session holds. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: async ({ context }) => {
    if (waitingCode() !== undefined) throw redirect({ to: "/sign-in" });
    const { tenants } = await context.queryClient.ensureQueryData(sessionQuery);
    const [first] = tenants;
    if (first === undefined) throw redirect({ to: "/sign-in" });
    throw redirect({ to: "/@{$tenant}/tasks", params: { tenant: first.identifier } });
  },
});
