import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { sessionQuery } from "./session.ts";

/** The tenant of the URL, `/console/@{tenant}/…`. */
export function useTenant(): string {
  const { tenant } = useParams({ strict: false });
  if (tenant === undefined) throw new Error("This page does not belong to a tenant");
  return tenant;
}

/** True if the session's token may write. The service checks it again. */
export function useIsAdmin(): boolean {
  const tenant = useTenant();
  const { data } = useQuery(sessionQuery);
  return data?.tenants.find(({ identifier }) => identifier === tenant)?.role === "admin";
}
