import { keysOf, type PersonalKind } from "@lading/schema/internal";
import type { Pseudonyms } from "./pseudonyms.ts";

/** Replaces the text of a field of `owner`; undefined keeps the field. */
export type Replace = (
  text: string,
  pseudonyms: Pseudonyms,
  owner: Readonly<Record<string, unknown>>,
) => string;

type Fields = Readonly<Record<string, Replace | undefined>>;

/** Kept: not personal, or useless if changed. */
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

/** A cart line's name is a product's name only if the line has its SKU. */
const nameOfLine: Replace = (value, pseudonyms, { sku }) =>
  typeof sku === "string" && sku !== "" ? value : pseudonyms.text("line", value);

/** Fields with texts of the payment provider, each of which may identify a payer. */
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

/** The rules for every text in entities that may contain personal data. */
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

/** Kinds of entities that may contain personal data. */
export const personalKinds = keysOf(ofKinds);

/**
 * Rules for the types in these entities, by kind or type name. In `meta`, keys are kept and all values replaced,
 * because they may name anyone.
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
