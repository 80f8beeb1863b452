import { useParams } from "@tanstack/react-router";

/** The tenant of the address, `/console/@{tenant}/…`. */
export function useTenant(): string {
  const { tenant } = useParams({ strict: false });
  if (tenant === undefined) throw new Error("This page is not one of a tenant");
  return tenant;
}
