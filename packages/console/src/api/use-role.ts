import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "./session.ts";
import { useTenant } from "./use-tenant.ts";

/** True where the session's token may write, too. The service checks it again. */
export function useIsAdmin(): boolean {
  const tenant = useTenant();
  const { data } = useQuery(sessionQuery);
  return data?.tenants.find(({ identifier }) => identifier === tenant)?.role === "admin";
}
