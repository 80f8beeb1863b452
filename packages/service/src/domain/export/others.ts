import { type CustomerRow, customers } from "../../storage/collections/customers.ts";
import { type ImageRow, images } from "../../storage/collections/images.ts";
import { type OrderRow, orders } from "../../storage/collections/orders.ts";
import { type PriceListRow, priceLists } from "../../storage/collections/price-lists.ts";
import { topics } from "../../storage/collections/topics.ts";
import { pathsOfTopics, type TopicView, topicsById } from "../../storage/queries/topics.ts";
import { pagesBelow, pagesOf } from "../dump/pages.ts";
import {
  type Column,
  cellOf,
  type ExportScope,
  field,
  listed,
  literal,
  type Reading,
  type Sheet,
  shown,
} from "./sheet.ts";

const cleared = { isDefault: true, clears: true } as const;
const json = { type: "json", clears: true } as const;
const shownJson = { type: "json" } as const;
const shownAtFirst = { isDefault: true } as const;

const updatedAt = (row: { updatedAt: string }) => row.updatedAt;

export const customerSheet = (): Sheet<CustomerRow> => ({
  columns: [
    shown("identifier", "Your identifier of the customer", (row) => row.identifier, { isKey: true }),
    field("type", "individual or organization", (row) => row.type, { isDefault: true }),
    ...customerTexts.map(([name, about]) => field<CustomerRow>(name, about, (row) => row[name], cleared)),
    field("externalReferences", "References in other systems", (row) => listed(row.externalReferences), json),
    field("meta", "Keys and values of your own", (row) => listed(row.meta), json),
    field("addresses", "Addresses", (row) => listed(row.addresses), json),
    field("parents", "Customers and groups that the customer belongs to", (row) => listed(row.parents), json),
    shown("createdAt", "When the customer was created", (row) => row.createdAt),
  ],
  operation: { intent: "customer/update", identifier: cellOf("identifier") },
  isTimed: true,
  updatedAt,
  sources: [],
  compared: [
    {
      name: "group",
      type: "texts",
      value: ({ parents }) =>
        parents.filter(({ type }) => type === "customerGroup").map(({ identifier }) => identifier),
    },
  ],
  rows: (scope) => pagesOf(scope, customers),
});

const customerTexts = [
  ["email", "Email address"],
  ["firstName", "First name"],
  ["lastName", "Last name"],
  ["middleName", "Middle name"],
  ["companyName", "Name of the company"],
  ["phone", "Phone number"],
  ["taxNumber", "Tax or VAT number"],
  ["birthDate", "Date of birth"],
] as const;

interface TopicSheetRow extends TopicView {
  readonly path: string | null;
}

/** Topics without a name in the language are left out. */
export const topicSheet = ({ language }: ExportScope): Sheet<TopicSheetRow> => ({
  columns: [
    shown("topicId", "Id of the topic", ({ id }) => id, { isKey: true }),
    shown("path", "Path of the topic in the language", ({ path }) => path, {
      isDefault: true,
      needs: "path",
    }),
    field("name", "Name in the language", (row) => row.name, { isDefault: true }),
    field("pathIdentifier", "Last part of the path; empty: made from the name", (row) => row.pathIdentifier, {
      clears: true,
    }),
    field("parentId", "Id of the topic above; empty: none", (row) => row.parentId, { clears: true }),
    field("displayColor", "Color to show the topic in", (row) => row.displayColor, cleared),
    field("resourceIdentifier", "Your identifier of the topic", (row) => row.resourceIdentifier, {
      isDefault: true,
    }),
    field("meta", "Keys and values of your own", (row) => listed(row.meta), json),
    shown("createdAt", "When the topic was created", (row) => row.createdAt),
  ],
  operation: { intent: "topic/update", topicId: cellOf("topicId"), language: literal(language) },
  isTimed: true,
  updatedAt: ({ updatedAt, contentUpdatedAt }) =>
    contentUpdatedAt !== null && contentUpdatedAt > updatedAt ? contentUpdatedAt : updatedAt,
  sources: ["below"],
  rows: topicRows,
});

async function* topicRows(scope: ExportScope, { needs, within }: Reading): AsyncGenerator<TopicSheetRow[]> {
  const { tenant, page, language } = scope;
  const pages =
    within.below === undefined
      ? pagesOf(scope, topics)
      : pagesBelow(scope, { table: "topics", order: "id" }, [within.below]);
  for await (const found of pages) {
    const ids = found.map(({ id }) => id);
    const [views, paths] = await page((queries) =>
      Promise.all([
        topicsById(queries, tenant.id, language, ids),
        needs.has("path") ? pathsOfTopics(queries, tenant.id, language, ids) : undefined,
      ]),
    );
    yield ids.flatMap((id) => {
      const view = views.get(id);
      return view === undefined || view.name === null ? [] : { ...view, path: paths?.get(id) ?? null };
    });
  }
}

export const priceListSheet = (): Sheet<PriceListRow> => ({
  columns: [
    shown("identifier", "Identifier of the price list", (row) => row.identifier, { isKey: true }),
    field("name", "Name of the price list", (row) => row.name, { isDefault: true }),
    field("modifierType", "ABSOLUTE, PERCENTAGE or RELATIVE", (row) => row.modifierType, { isDefault: true }),
    field("priceVariants", "Changes of prices, by price variant", (row) => row.priceVariants, {
      type: "json",
      isDefault: true,
    }),
    field("targetAudience", "The customers that it is for", (row) => row.targetAudience, { type: "json" }),
    field("startDate", "When the prices begin to apply; empty: immediately", (row) => row.startDate, cleared),
    field("endDate", "When the prices end; empty: never", (row) => row.endDate, cleared),
    shown("selectionType", "ALL_SKUS or SOME_SKUS", (row) => row.selectionType),
    shown("createdAt", "When the price list was created", (row) => row.createdAt),
  ],
  operation: { intent: "pricelist/update", identifier: cellOf("identifier") },
  isTimed: true,
  updatedAt,
  sources: [],
  rows: (scope) => pagesOf(scope, priceLists),
});

export const imageSheet = (): Sheet<ImageRow> => ({
  columns: [
    shown("key", "Key of the image", (row) => row.key, { isKey: true }),
    field(
      "resourceIdentifier",
      "Your identifier of the image; one that it has cannot be changed",
      (row) => row.resourceIdentifier,
      {
        isDefault: true,
      },
    ),
    shown("mimeType", "Type of the file", (row) => row.mimeType, shownAtFirst),
    number("width", "Width in pixels", (row) => row.width),
    number("height", "Height in pixels", (row) => row.height),
    number("size", "Size in bytes", (row) => row.size),
    shown("createdAt", "When the image was registered", (row) => row.createdAt),
  ],
  operation: { intent: "image/register", key: cellOf("key") },
  isTimed: false,
  updatedAt,
  sources: [],
  rows: (scope) => pagesOf(scope, images),
});

const number = <Row>(name: string, about: string, value: Column<Row>["value"]) =>
  shown(name, about, value, { type: "number", isDefault: true });

/** Read-only: an order is the record of a purchase. */
export const orderSheet = (): Sheet<OrderRow> => ({
  columns: [
    shown("id", "Id of the order", (row) => row.id, { isKey: true }),
    shown("createdAt", "When the order was placed", (row) => row.createdAt, shownAtFirst),
    shown("customerIdentifier", "Identifier of the customer", (row) => row.customerIdentifier, shownAtFirst),
    shown("type", "Type of the order", (row) => row.type),
    shown("paymentStatus", "Whether it is paid", (row) => row.paymentStatus, shownAtFirst),
    number("total.gross", "Total with tax", (row) => row.total?.gross),
    number("total.net", "Total without tax", (row) => row.total?.net),
    shown("total.currency", "Currency of the total", (row) => row.total?.currency, shownAtFirst),
    shown("resourceIdentifier", "Your identifier of the order", (row) => row.resourceIdentifier),
    shown("stockLocationIdentifier", "Stock location", (row) => row.stockLocationIdentifier),
    shown("additionalInformation", "Further information", (row) => row.additionalInformation),
    shown("customer", "The customer, as ordered", (row) => row.customer, shownJson),
    shown("cart", "What was ordered", (row) => row.cart, shownJson),
    shown("total", "The total with its taxes and discounts", (row) => row.total, shownJson),
    shown("payment", "Payments", (row) => listed(row.payment), shownJson),
    shown("pipelines", "Stages in pipelines", (row) => listed(row.pipelines), shownJson),
    shown("appliedPromotions", "Promotions", (row) => listed(row.appliedPromotions), shownJson),
    shown("relatedOrderIds", "Ids of related orders", (row) => listed(row.relatedOrderIds), shownJson),
    shown("meta", "Keys and values of your own", (row) => listed(row.meta), shownJson),
  ],
  isTimed: true,
  updatedAt,
  sources: [],
  rows: (scope) => pagesOf(scope, orders),
});
