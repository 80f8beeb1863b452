import { customerGroups } from "../storage/collections/customer-groups.ts";
import { customers } from "../storage/collections/customers.ts";
import { images } from "../storage/collections/images.ts";
import { orders } from "../storage/collections/orders.ts";
import { priceLists, priceListVariants } from "../storage/collections/price-lists.ts";
import { subscriptionContracts } from "../storage/collections/subscription-contracts.ts";
import { contractPhase, contractStatus } from "../tenants/contract-facts.ts";
import type { Fetcher } from "./fetcher.ts";

export const fetchOrderById: Fetcher = {
  missing: "OrderNotFoundError",
  what: "order has the id",
  prefetch: (id, _, prefetch) => prefetch(orders, "key", [id]),
  find: async ({ unit }, id) => {
    const order = await unit.get(orders, id);
    if (order === undefined) return undefined;
    const { customerIdentifier: _, ...fields } = order;
    return { ...fields, reference: order.resourceIdentifier ?? id };
  },
};

/** An image as templates see it: the same in all languages, without other sizes. */
export const fetchImageByResourceIdentifier: Fetcher = {
  missing: "ImageNotFoundError",
  what: "image has the resource identifier",
  prefetch: (name, _, prefetch) => prefetch(images, "resourceIdentifier", [name]),
  find: async ({ unit }, name) => {
    const [image] = await unit.find(images, "resourceIdentifier", name);
    return image && { ...image, variants: [] };
  },
};

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

export const fetchPriceListByIdentifier: Fetcher = {
  missing: "PriceListNotFoundError",
  what: "price list has the identifier",
  prefetch: (identifier, _, prefetch) => {
    prefetch(priceLists, "key", [identifier]);
    prefetch(priceListVariants, "priceList", [identifier]);
  },
  find: async ({ unit }, identifier) => {
    const list = await unit.get(priceLists, identifier);
    if (list === undefined) return undefined;
    const owner = { collection: priceLists, key: identifier };
    const rows = await unit.findUnder(owner, priceListVariants, "priceList", identifier);
    const { selectionType: type, ...fields } = list;
    const variants = rows.map(({ sku, priceVariants }) => ({ sku, priceVariants }));
    return { ...fields, selectedProductVariants: { type, variants } };
  },
};

export const fetchSubscriptionContractById: Fetcher = {
  missing: "SubscriptionContractNotFoundError",
  what: "subscription contract has the id",
  prefetch: (id, _, prefetch) => prefetch(subscriptionContracts, "key", [id]),
  find: async ({ unit, tenant: { settings } }, id) => {
    const contract = await unit.get(subscriptionContracts, id);
    if (contract === undefined) return undefined;
    const { resourceIdentifier, customerIdentifier, subscriptionPlan, item, signedAt } = contract;
    const { payment, addresses, meta, createdAt, updatedAt } = contract;
    return {
      ...{ id, resourceIdentifier, customerIdentifier, subscriptionPlan, item, signedAt },
      ...{ payment, addresses, meta, createdAt, updatedAt },
      initial: contractPhase(contract, "initial", settings),
      recurring: contractPhase(contract, "recurring", settings),
      status: contractStatus(contract, settings, Date.now()),
    };
  },
};
