import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { moneyText, numberText } from "../../ui/format.ts";
import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import {
  type CustomerRow,
  customerDocument,
  customersDocument,
  type OrderRow,
  orderDocument,
  ordersDocument,
  type PriceListRow,
  priceListDocument,
  priceListsDocument,
} from "./commerce-documents.ts";
import { type Kind, pageOf } from "./kind.ts";

const personText = (person: {
  firstName: string | null;
  lastName: string | null;
  companyName: string | null;
}) => person.companyName ?? ([person.firstName, person.lastName].filter(Boolean).join(" ") || "–");

export const customers: Kind<CustomerRow> = {
  intent: "customer/create",
  keyOf: ({ identifier }) => identifier,
  columns: [
    { header: "Identifier", width: 9, grow: 1, cell: ({ identifier }) => <code>{identifier}</code> },
    { header: "Name", width: 9, grow: 1, cell: personText },
    { header: "Type", width: 7, cell: ({ type }) => type ?? "–" },
    { header: "E-mail", width: 10, grow: 1, cell: ({ email }) => email ?? "–" },
    {
      header: "Children",
      width: 5,
      isFigure: true,
      isExtra: true,
      cell: ({ childCount }) => numberText(childCount),
    },
    { header: "Changed", width: 8.2, isExtra: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ],
  fetchPage: async ({ tenant }, after, signal) =>
    pageOf(success((await request(tenant, customersDocument, { after }, signal)).customers)),
  read: async ({ tenant }, key, signal) =>
    success((await request(tenant, customerDocument, { key }, signal)).customer),
};

export const orders: Kind<OrderRow> = {
  intent: "order/register",
  keyOf: ({ id }) => id,
  columns: [
    { header: "Id", width: 11, cell: ({ id }) => <Id id={id} /> },
    { header: "Customer", width: 9, grow: 1, cell: ({ customer }) => customerText(customer) },
    {
      header: "Lines",
      width: 4,
      isFigure: true,
      cell: ({ cart }) => numberText(cart.length),
    },
    { header: "Total", width: 7, isFigure: true, cell: ({ total }) => totalText(total) },
    { header: "Payment", width: 7, cell: ({ paymentStatus }) => paymentStatus ?? "–" },
    { header: "Type", width: 6, isExtra: true, cell: ({ type }) => type ?? "–" },
    { header: "Created", width: 8.2, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
  fetchPage: async ({ tenant }, after, signal) =>
    pageOf(success((await request(tenant, ordersDocument, { after }, signal)).orders)),
  read: async ({ tenant }, key, signal) =>
    success((await request(tenant, orderDocument, { key }, signal)).order),
};

const customerText = (customer: OrderRow["customer"]) => {
  const name = personText(customer);
  return name === "–" ? customer.identifier : name;
};

const totalText = (total: OrderRow["total"]) =>
  total === null || total.gross === null ? "–" : moneyText(total.gross, total.currency);

export const priceLists: Kind<PriceListRow> = {
  intent: "pricelist/create",
  keyOf: ({ identifier }) => identifier,
  columns: [
    { header: "Identifier", width: 9, grow: 1, cell: ({ identifier }) => <code>{identifier}</code> },
    { header: "Name", width: 9, grow: 1, cell: ({ name }) => name },
    { header: "Modifier", width: 7, cell: ({ modifierType }) => modifierType },
    {
      header: "Price variants",
      width: 8,
      grow: 1,
      cell: ({ priceVariants }) => priceVariants.map(({ identifier }) => identifier).join(", "),
    },
    { header: "Variants", width: 7, isExtra: true, cell: ({ selectedProductVariants: { type } }) => type },
    { header: "Audience", width: 7, cell: ({ targetAudience: { type } }) => type },
    { header: "From", width: 8.2, isExtra: true, cell: ({ startDate }) => <Time at={startDate} /> },
    { header: "Until", width: 8.2, isExtra: true, cell: ({ endDate }) => <Time at={endDate} /> },
  ],
  fetchPage: async ({ tenant }, after, signal) =>
    pageOf(success((await request(tenant, priceListsDocument, { after }, signal)).priceLists)),
  read: async ({ tenant }, key, signal) =>
    success((await request(tenant, priceListDocument, { key }, signal)).priceList),
};
