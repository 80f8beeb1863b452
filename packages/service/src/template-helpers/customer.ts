import { customerGroups } from "../storage/collections/customer-groups.ts";
import { customers } from "../storage/collections/customers.ts";
import type { Fetcher } from "./fetcher.ts";

export const fetchCustomerByIdentifier: Fetcher = {
  missing: "CustomerNotFoundError",
  what: "customer has the identifier",
  prefetch: (identifier, _, prefetch) => prefetch(customers, "key", [identifier]),
  find: ({ unit }, identifier) => unit.get(customers, identifier),
};

export const fetchCustomerGroupByIdentifier: Fetcher = {
  missing: "CustomerGroupNotFoundError",
  what: "customer group has the identifier",
  prefetch: (identifier, _, prefetch) => prefetch(customerGroups, "key", [identifier]),
  find: ({ unit }, identifier) => unit.get(customerGroups, identifier),
};
