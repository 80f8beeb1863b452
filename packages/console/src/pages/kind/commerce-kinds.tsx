import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { moneyText, numberText } from "../../ui/format.ts";
import { pageOf } from "../../ui/table/paged-rows.ts";
import { Time } from "../../ui/values/time.tsx";
import { Pictured } from "../browse-model/image.tsx";
import { CustomerLink, OrderLink, SkuLink } from "../browse-model/links.tsx";
import { PaymentState } from "../browse-model/states.tsx";
import { Name, Stored } from "../browse-model/stored.tsx";
import { changed, identifier, name } from "./columns.tsx";
import {
  type CustomerRow,
  customersDocument,
  type OrderRow,
  ordersDocument,
  type PriceListRow,
  priceListDocument,
  priceListsDocument,
  type VariantRow,
  variantsDocument,
} from "./commerce-documents.ts";
import type { Kind } from "./kind.ts";
import { PriceListParts } from "./price-list.tsx";

export const variants: Kind<VariantRow> = {
  intent: "product/variant/create",
  keyOf: ({ sku }) => sku,
  columns: (language) => [
    {
      header: "Name",
      width: 14,
      grow: 2,
      card: "title",
      cell: ({ sku, images, displayName }) => (
        <Pictured images={images}>
          <Name name={displayName} language={language} id={sku} />
        </Pictured>
      ),
    },
    { header: "SKU", width: 10, grow: 1, card: "line", cell: ({ sku }) => <SkuLink sku={sku} /> },
    {
      header: "Prices",
      width: 9,
      grow: 1,
      isFigure: true,
      cell: ({ priceVariants }) =>
        priceVariants?.map(({ price, currency }) => moneyText(price, currency)).join(", ") || "–",
    },
    {
      header: "Stock",
      width: 5,
      isFigure: true,
      cell: ({ stock }) => (stock === null ? "–" : numberText(stock)),
    },
    changed,
  ],
  fetchPage: async ({ tenant, language, counts }, after, signal) =>
    pageOf(
      success((await request(tenant, variantsDocument, { language, after, counts }, signal)).productVariants),
    ),
  one: { page: (tenant, sku) => ({ to: "/@{$tenant}/browse/variants/$sku", params: { tenant, sku } }) },
};

export const customers: Kind<CustomerRow> = {
  intent: "customer/create",
  keyOf: ({ identifier }) => identifier,
  columns: () => [
    {
      header: "Name",
      width: 11,
      grow: 1,
      card: "title",
      cell: (customer) => <CustomerLink customer={customer} />,
    },
    { header: "Email", width: 11, grow: 1, card: "line", cell: ({ email }) => email ?? "–" },
    { ...identifier, isExtra: true },
    { header: "Phone", width: 8, isExtra: true, card: "hidden", cell: ({ phone }) => phone ?? "–" },
    { header: "Type", width: 7, card: "state", cell: ({ type }) => type ?? "–" },
    {
      header: "Child customers",
      width: 6,
      isFigure: true,
      isExtra: true,
      card: "hidden",
      cell: ({ childCount }) => numberText(childCount),
    },
    changed,
  ],
  fetchPage: async ({ tenant, counts }, after, signal) =>
    pageOf(success((await request(tenant, customersDocument, { after, counts }, signal)).customers)),
  one: {
    page: (tenant, customer) => ({
      to: "/@{$tenant}/browse/customers/$customer",
      params: { tenant, customer },
    }),
  },
};

export const orders: Kind<OrderRow> = {
  intent: "order/register",
  keyOf: ({ id }) => id,
  columns: () => [
    { header: "Reference", width: 10, grow: 1, card: "title", cell: (order) => <OrderLink order={order} /> },
    { header: "Created", width: 8.2, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { header: "Customer", width: 9, grow: 1, cell: ({ customer }) => <CustomerLink customer={customer} /> },
    { header: "Lines", width: 4, isFigure: true, cell: ({ cart }) => numberText(cart.length) },
    { header: "Total", width: 8, isFigure: true, cell: ({ total }) => totalText(total) },
    {
      header: "Payment",
      width: 8,
      card: "state",
      cell: ({ paymentStatus }) => <PaymentState status={paymentStatus} />,
    },
    { header: "Type", width: 6, isExtra: true, card: "hidden", cell: ({ type }) => type ?? "–" },
  ],
  fetchPage: async ({ tenant, counts }, after, signal) =>
    pageOf(success((await request(tenant, ordersDocument, { after, counts }, signal)).orders)),
  one: { page: (tenant, order) => ({ to: "/@{$tenant}/browse/orders/$order", params: { tenant, order } }) },
};

const totalText = (total: OrderRow["total"]) =>
  total === null || total.gross === null ? "–" : moneyText(total.gross, total.currency);

export const priceLists: Kind<PriceListRow> = {
  intent: "pricelist/create",
  keyOf: ({ identifier }) => identifier,
  columns: () => [
    name,
    identifier,
    { header: "Modifier", width: 7, cell: ({ modifierType }) => modifierType },
    {
      header: "Price variants",
      width: 8,
      grow: 1,
      cell: ({ priceVariants }) => priceVariants.map(({ identifier }) => identifier).join(", "),
    },
    { header: "Variants", width: 7, isExtra: true, cell: ({ selectedProductVariants: { type } }) => type },
    { header: "Audience", width: 7, cell: ({ targetAudience: { type } }) => type },
    { ...changed, header: "From", card: "hidden", cell: ({ startDate }) => <Time at={startDate} /> },
    { ...changed, header: "Until", card: "hidden", cell: ({ endDate }) => <Time at={endDate} /> },
  ],
  fetchPage: async ({ tenant, counts }, after, signal) =>
    pageOf(success((await request(tenant, priceListsDocument, { after, counts }, signal)).priceLists)),
  one: {
    async read({ tenant }, key, signal) {
      const found = success((await request(tenant, priceListDocument, { key }, signal)).priceList);
      return { title: <Stored>{found.name}</Stored>, value: found, parts: <PriceListParts list={found} /> };
    },
  },
};
