import type { PersonalKind } from "@lading/schema";
import type { Pseudonyms } from "./pseudonyms.ts";

/** Replaces the text of a field; `owner` is the object that has it. Undefined keeps the field. */
export type Replace = (
  text: string,
  pseudonyms: Pseudonyms,
  owner: Readonly<Record<string, unknown>>,
) => string;

type Fields = Readonly<Record<string, Replace | undefined>>;

/** The field stays: it is not about a person, or of no use if it were changed. */
const kept = undefined;

const text =
  (word: string): Replace =>
  (value, pseudonyms) =>
    pseudonyms.text(word, value);
const email: Replace = (value, pseudonyms) => pseudonyms.email(value);
const identifier: Replace = (value, pseudonyms) => pseudonyms.identifier(value);
const phone: Replace = (value, pseudonyms) => pseudonyms.phone(value);
const date: Replace = (value, pseudonyms) => pseudonyms.date(value);
const url: Replace = (value, pseudonyms) => `https://example.invalid/${pseudonyms.text("image", value)}`;

/** The name of a line in a cart is that of a product only if the line has its SKU. */
const nameOfLine: Replace = (value, pseudonyms, { sku }) =>
  typeof sku === "string" && sku !== "" ? value : pseudonyms.text("line", value);

/** Fields of a type that texts of the payment provider are in: each may identify a payer. */
const ofProvider = (...names: string[]): Record<string, Replace> =>
  Object.fromEntries(names.map((name) => [name, text(name)]));

const customer = {
  identifier,
  email,
  firstName: text("first"),
  lastName: text("last"),
  middleName: text("middle"),
  companyName: text("company"),
  phone,
  taxNumber: text("tax"),
  birthDate: date,
};

/** Each text of entities that may be about persons: how it is replaced, or that it is kept. */
const ofKinds = {
  customer,
  customerGroup: { identifier: kept, name: kept },
  order: {
    id: kept,
    resourceIdentifier: text("order"),
    additionalInformation: text("information"),
    createdAt: kept,
    relatedOrderIds: kept,
    stockLocationIdentifier: kept,
  },
  contract: {
    id: kept,
    resourceIdentifier: text("contract"),
    customerIdentifier: identifier,
    signedAt: kept,
  },
  priceList: { identifier: kept, name: text("price-list"), startDate: kept, endDate: kept },
} satisfies Readonly<Record<PersonalKind, Fields>>;

/** The kinds of entities that may be about persons. */
export const personalKinds = Object.keys(ofKinds) as readonly (keyof typeof ofKinds)[];

/**
 * The same for the types in these entities, by the kind or the name of the type. Keys of `meta` are kept, and all
 * values are replaced: they may name anyone.
 */
export const personalFields: Readonly<Record<string, Fields>> = {
  ...ofKinds,
  Customer: customer,
  CustomerParent: {
    identifier: (value, pseudonyms, { type }) => (type === "customer" ? pseudonyms.identifier(value) : value),
  },
  Address: {
    city: text("city"),
    country: kept,
    email,
    firstName: text("first"),
    lastName: text("last"),
    middleName: text("middle"),
    phone,
    postalCode: text("code"),
    state: text("state"),
    street: text("street"),
    street2: text("street"),
    streetNumber: text("number"),
  },
  KeyValue: { key: kept, value: text("value") },
  OrderItem: {
    ...{ name: nameOfLine, sku: kept, productId: kept, imageUrl: url, subscriptionContractId: kept },
    group: text("group"),
  },
  OrderItemSubscription: { name: kept, start: kept, end: kept },
  OrderItemUsage: { id: kept },
  OrderPrice: { currency: kept },
  OrderTax: { name: kept },
  AppliedPromotion: { identifier: text("promotion"), name: text("promotion") },
  KlarnaPayment: ofProvider(
    ...["id", "merchantReference1", "merchantReference2", "metadata", "orderId", "recurringToken", "status"],
  ),
  PaypalPayment: ofProvider("id", "invoiceId", "metadata", "orderId", "subscriptionId"),
  StripePayment: ofProvider(
    ...["stripe", "customerId", "orderId", "paymentMethod", "paymentMethodId", "paymentIntentId"],
    ...["subscriptionId", "metadata"],
  ),
  CashPayment: ofProvider("cash"),
  PaymentProperty: { property: kept, value: text("value") },
  ContractPlan: { identifier: kept, periodId: kept, periodName: kept },
  ContractStatus: { activateAt: kept, activeUntil: kept, renewAt: kept },
  ContractItem: { sku: kept, name: kept, imageUrl: url },
  ContractPhase: { currency: kept },
  ContractMeteredVariable: { identifier: kept },
  ContractTier: { currency: kept },
  PriceListModifier: { identifier: kept },
  PriceListProductVariant: { sku: kept },
  PriceListAudience: {
    customerGroupIdentifiers: kept,
    customerIdentifiers: identifier,
    marketIdentifiers: kept,
  },
};
