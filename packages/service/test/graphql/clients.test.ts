import { describe, expect, test } from "vitest";
import { useApi } from "../http/support.ts";

/** Requests of existing clients, in their own shapes: each must be answered unchanged. */

const body = "... on BasicError { errorName message }";

describe("a client that writes its arguments into the query", () => {
  const api = useApi();

  const price = `{gross: 12.5, net: 10, currency: "EUR", discounts: [{percent: 5}], tax: {name: "VAT", percent: 25}}`;
  const registered = `mutation { registerOrder(input: {
    type: "standard", paymentStatus: "paid", additionalInformation: "Ring twice",
    customer: {identifier: "ann", type: individual, addresses: [{type: billing, city: "Oslo"}]},
    cart: [{sku: "s", name: "Shoe", quantity: 1, type: "standard", price: ${price}, subTotal: ${price},
      subscription: {name: "Plan", period: 1, unit: month, start: "2026-01-01", end: "2026-12-31"}}],
    appliedPromotions: [{identifier: "p", name: "P", mechanism: {type: "percentage", value: 10}}],
    payment: [{provider: custom, custom: {properties: [{property: "p", value: "v"}]}}],
    total: ${price}, meta: [{key: "k", value: "v"}] }) {
    ... on OrderConfirmation { id createdAt } ${body} } }`;

  test("a client that writes arguments into queries can register, update, read and list orders", async () => {
    const { registerOrder } = await api.data(registered);
    expect(registerOrder).toEqual({ id: expect.any(String), createdAt: expect.any(String) });
    const { id } = registerOrder;
    const shown = "price { gross net currency discounts { percent } tax { name percent } }";
    const order = `id reference createdAt updatedAt customer { identifier }
      cart { name sku imageUrl quantity ${shown} } total { gross net currency discounts { percent } tax { name percent } }`;
    expect(
      await api.data(`mutation { updateOrder(id: "${id}", input: {payment: [{provider: cash, cash: {cash: "9"}}]}) {
        ... on Order { id reference customer { identifier } payment { provider } } ${body} } }`),
    ).toEqual({
      updateOrder: { id, reference: id, customer: { identifier: "ann" }, payment: [{ provider: "cash" }] },
    });
    const one = await api.data(`query { order(id: "${id}") { ... on Order { ${order} } ${body} } }`);
    const amount = {
      gross: 12.5,
      net: 10,
      currency: "EUR",
      discounts: [{ percent: 5 }],
      tax: { name: "VAT", percent: 25 },
    };
    expect(one.order).toMatchObject({
      id,
      cart: [{ name: "Shoe", sku: "s", imageUrl: null, quantity: 1, price: amount }],
      total: amount,
    });
    const many = await api.data(`query { orders(filter: {customer: {identifier: "ann"}}, first: 5) {
      ... on OrderConnection { pageInfo { hasPreviousPage hasNextPage startCursor endCursor } edges { node { ${order} } } } ${body} } }`);
    expect(many.orders).toEqual({
      pageInfo: {
        hasPreviousPage: false,
        hasNextPage: false,
        startCursor: expect.any(String),
        endCursor: expect.any(String),
      },
      edges: [{ node: one.order }],
    });
    const none = await api.data(`query { orders(filter: {customer: {identifier: "nobody"}}) {
      ... on OrderConnection { pageInfo { hasPreviousPage hasNextPage startCursor endCursor } edges { node { id } } } ${body} } }`);
    expect(none.orders).toEqual({
      pageInfo: { hasPreviousPage: false, hasNextPage: false, startCursor: null, endCursor: null },
      edges: [],
    });
  });

  test("a client may ask for the tenant's id, and for shapes and pieces without a fragment on errors", async () => {
    expect(
      await api.data(
        'query { tenant(identifier: "shop") { id name staticAuthToken } shapes(first: 100) { edges { node { identifier name type resolvedConfiguration } } pageInfo { hasNextPage endCursor } } pieces(first: 100) { edges { node { identifier name } } } }',
      ),
    ).toMatchObject({
      tenant: { id: api.shop.tenant.id },
      shapes: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } },
      pieces: { edges: [] },
    });
  });
});
