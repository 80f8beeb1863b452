import { type Operation, upsertOperation, type Words } from "./workload.ts";

type Make = (number: number, target: number, words: Words) => Operation;

/** Products created by a mixed file have numbers from here on. */
const newProducts = 10_000_000;

const stock: Make = (number, target) => ({
  intent: "product/variant/stock/modify",
  sku: mixedOperationFails(number) ? `missing-${number}` : `sku-${target}`,
  stockLocationIdentifier: "default",
  operation: "overwrite",
  quantity: 100 + number,
});
const price: Make = (number, target) => ({
  intent: "product/variant/price/modify",
  sku: `sku-${target}`,
  priceVariantIdentifier: "default",
  price: 100 + number,
});
const component: Make = (number, target) => ({
  intent: "item/updateComponent/item",
  resourceIdentifier: `product-${target}`,
  language: "en",
  component: { componentId: "summary", singleLine: { text: `Written by the operation ${number}` } },
});
const update: Make = (number, target, words) => upsertOperation(target, 1 + number, words);
const create: Make = (number, _, words) => upsertOperation(newProducts + number, 0, words);
const customer: Make = (number) => ({
  intent: "customer/upsert",
  _ref: `customer${number}`,
  identifier: `customer-${number}`,
  type: "individual",
  firstName: `First ${number}`,
  lastName: `Last ${number}`,
  email: `customer-${number}@example.com`,
  addresses: [{ type: "delivery", street: "Street", streetNumber: `${number}`, city: "City", country: "NO" }],
});
const orderOf = (identifier: string, target: number): Operation => ({
  intent: "order/register",
  customer: { identifier, firstName: "First", lastName: "Last" },
  cart: [
    {
      sku: `sku-${target}`,
      name: `Product ${target}`,
      quantity: 2,
      price: { currency: "EUR", gross: 12.5, net: 10, tax: { name: "VAT", percent: 25 } },
    },
  ],
  total: { currency: "EUR", gross: 25, net: 20, tax: { name: "VAT", percent: 25 } },
});
/** Of the customer created five operations earlier, by reference. */
const referringOrder: Make = (number, target, { customer }) => orderOf(customer(number - 5), target);
/** Of the customer created three operations earlier, by identifier. */
const order: Make = (number, target) => orderOf(`customer-${number - 3}`, target);

/**
 * Twenty operations: six change stocks and prices, six a component, two update and two create a product, two
 * are customers and two orders. The products and one of the orders have a reference: one operation in four.
 */
const pattern: readonly Make[] = [
  ...[stock, component, price, update, component],
  ...[customer, stock, component, price, create],
  ...[referringOrder, component, stock, update, component],
  ...[price, customer, component, create, order],
];

/** The operation of a number; `target` is the number of its product. */
export const mixedOperation: Make = (number, target, words) =>
  pattern[number % pattern.length]!(number, target, words);

/** One operation in a hundred names a variant that does not exist. */
export const mixedOperationFails = (number: number): boolean => number % 100 === 0;
