/** The parts of the page about a tenant. */
export const tenantTabs = ["usage", "settings", "tokens"] as const;
