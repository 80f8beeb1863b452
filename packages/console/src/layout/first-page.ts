/** The first page of a tenant. */
export const firstPage = "/@{$tenant}/overview";
