import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { sessionQuery } from "./session.ts";

/** The tenant of the address, `/console/@{tenant}/…`. */
export function useTenant(): string {
  const { tenant } = useParams({ strict: false });
  if (tenant === undefined) throw new Error("This page is not one of a tenant");
  return tenant;
}

/** True where the session's token may write, too. The service checks it again. */
export function useIsAdmin(): boolean {
  const tenant = useTenant();
  const { data } = useQuery(sessionQuery);
  return data?.tenants.find(({ identifier }) => identifier === tenant)?.role === "admin";
}
