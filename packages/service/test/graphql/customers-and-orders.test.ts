import { beforeAll, describe, expect, test } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { useApi } from "../http/support.ts";

const failure = "... on BasicError { errorName message }";

describe.each(engines)("customers and orders on $name", ({ shared }) => {
  const orderIds: string[] = [];

  const api = useApi({ open: shared });
  beforeAll(async () => {
    for (const [identifier, more] of [
      [
        "ann",
        'type: individual, email: "ann@example.com", externalReferences: [{key: "erp", value: "1"}, {key: "shared", value: "x"}]',
      ],
      [
        "bob",
        'type: individual, externalReferences: [{key: "shared", value: "x"}], meta: [{key: "erp", value: "1"}]',
      ],
      ["co", 'type: organization, addresses: [{type: billing, city: "Oslo"}]'],
    ])
      await api.data(
        `mutation { createCustomer(input: {identifier: "${identifier}", ${more}}) { ... on Customer { identifier } ${failure} } }`,
      );
    for (const [customer, more] of [
      ["ann", 'type: "standard", meta: [{key: "a", value: "1"}, {key: "b", value: "2"}]'],
      ["bob", 'paymentStatus: "paid", meta: [{key: "a", value: "1"}]'],
      ["ann", 'meta: [{key: "a", value: "3"}]'],
    ]) {
      const { registerOrder } = await api.data(
        `mutation { registerOrder(input: {customer: {identifier: "${customer}"}, cart: [{name: "Shoe", quantity: 1}], ${more}}) {
           ... on OrderConfirmation { id } ${failure} } }`,
      );
      orderIds.push(registerOrder.id);
    }
  });

  const change = "updatedAt lastChange { at taskId operationIndex }";

  const customer = (given: string, selection = "identifier") =>
    api.field(`{ customer(${given}) { ... on Customer { ${selection} } ... on BasicError { errorName } } }`);

  const customers = async (filter: string) =>
    (
      await api.field(
        `{ customers(filter: ${filter}) { ... on CustomerConnection { edges { node { identifier } } } ${failure} } }`,
      )
    ).edges.map(({ node }: { node: { identifier: string } }) => node.identifier);

  const orders = (given: string) =>
    api.field(
      `{ orders(${given}) { ... on OrderConnection { totalCount pageInfo { endCursor hasNextPage } edges { node { id } } } ${failure} } }`,
    );

  const idsOf = (found: { edges: { node: { id: string } }[] }) => found.edges.map(({ node }) => node.id);

  test("the last change by a mutation names no task, and one query looks for few", async () => {
    const { updatedAt, lastChange } = await customer('identifier: "ann"', change);
    expect(lastChange).toEqual({ at: updatedAt, taskId: null, operationIndex: null });
    const many = (count: number) => {
      const each = Array.from({ length: count }, (_, n) => `c${n}: lastChange { at }`);
      return api.ask(`{ customer(identifier: "ann") { ... on Customer { ${each.join(" ")} } ${failure} } }`);
    };
    expect((await many(10)).body.errors).toBeUndefined();
    expect((await many(11)).body.errors[0].message).toContain("more than 10 last changes");
  });

  test("a customer or order that is asked for wrongly, is unknown or is several is an error by name", async () => {
    for (const [given, errorName] of [
      ["", "ValidationError"],
      ['identifier: "ann", externalReference: {key: "erp", value: "1"}', "ValidationError"],
      ['identifier: "nobody"', "CustomerNotFoundError"],
      ['identifier: "a\\u0000"', "ValidationError"],
      ['externalReference: {key: "erp", value: "2"}', "CustomerNotFoundError"],
      ['externalReference: {key: "shared", value: "x"}', "AmbiguousReferenceError"],
    ])
      expect(
        await api.ask(
          `{ customer${given ? `(${given})` : ""} { ... on Customer { identifier } ... on BasicError { errorName } } }`,
        ),
        given,
      ).toEqual({ status: 200, body: { data: { customer: { errorName } } } });
    const none =
      await api.data(`{ customerGroup(identifier: "none") { ... on CustomerGroup { name } ... on CustomerGroupNotFoundError { message } }
      order(id: "none") { ... on Order { id } ... on OrderNotFoundError { message } } }`);
    expect(none).toEqual({
      customerGroup: { message: 'No customer group has the identifier "none"' },
      order: { message: 'No order has the id "none"' },
    });
  });

  test("a customer knows how many have it as a parent", async () => {
    const write = (identifier: string, parents: string) =>
      api.data(
        `mutation { upsertCustomer(identifier: "${identifier}", input: {type: individual, parents: [${parents}]}) {
           ... on Customer { identifier } ${failure} } }`,
      );
    await write("child-1", '{identifier: "co", type: customer}');
    await write("child-2", '{identifier: "co", type: customer}, {identifier: "ann", type: customer}');
    const counts = await Promise.all(
      ["co", "ann", "child-1"].map((identifier) => customer(`identifier: "${identifier}"`, "childCount")),
    );
    expect(counts).toEqual([{ childCount: 2 }, { childCount: 1 }, { childCount: 0 }]);
    await write("child-1", "");
    expect(await customer('identifier: "co"', "childCount")).toEqual({ childCount: 1 });
    await api.database.execute("DELETE FROM customers WHERE identifier LIKE 'child-%'");
  });

  test("a customer is found by identifier and by external reference, which is not a meta", async () => {
    expect(await customer('identifier: "co"', "type addresses { type city street }")).toEqual({
      type: "organization",
      addresses: [{ type: "billing", city: "Oslo", street: null }],
    });
    expect(await customer('externalReference: {key: "erp", value: "1"}')).toEqual({ identifier: "ann" });
  });

  test("customers are listed by type, email and reference", async () => {
    expect(await customers("{}")).toEqual(["ann", "bob", "co"]);
    expect(await customers("{type: individual}")).toEqual(["ann", "bob"]);
    expect(await customers('{email: "ann@example.com", type: "individual"}')).toEqual(["ann"]);
    expect(await customers('{externalReference: {key: "shared"}}')).toEqual(["ann", "bob"]);
    expect(await customers('{externalReference: {key: "shared", value: "y"}}')).toEqual([]);
  });

  test("customer groups are listed in pages", async () => {
    for (const identifier of ["g1", "g2", "g3"])
      await api.data(
        `mutation { createCustomerGroup(input: {identifier: "${identifier}"}) { ... on CustomerGroup { name } ${failure} } }`,
      );
    const list = (after: string) =>
      api.field(
        `{ customerGroups(first: 2, after: "${after}") { ... on CustomerGroupConnection { edges { cursor node { identifier } } pageInfo { hasNextPage } } ${failure} } }`,
      );
    const first = await list("");
    const rest = await list(first.edges[1].cursor);
    expect(
      [...first.edges, ...rest.edges].map(({ node }: { node: { identifier: string } }) => node.identifier),
    ).toEqual(["g1", "g2", "g3"]);
    expect([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
  });

  test("orders are listed newest first, of a customer, with all of some meta, by type and payment", async () => {
    const [one, two, three] = orderIds as [string, string, string];
    expect(idsOf(await orders("first: 10"))).toEqual([three, two, one]);
    expect(idsOf(await orders('filter: {customer: {identifier: "ann"}}'))).toEqual([three, one]);
    expect(idsOf(await orders('filter: {meta: [{key: "a", value: "1"}]}'))).toEqual([two, one]);
    expect(idsOf(await orders('filter: {meta: [{key: "b", value: "2"}, {key: "a", value: "1"}]}'))).toEqual([
      one,
    ]);
    expect(idsOf(await orders('filter: {meta: [{key: "a", value: "2"}]}'))).toEqual([]);
    expect(idsOf(await orders("filter: {paymentStatus: paid}"))).toEqual([two]);
    expect(idsOf(await orders('filter: {type: "standard"}'))).toEqual([one]);
  });

  test("pages of orders join into the whole list", async () => {
    const first = await orders("first: 2");
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const rest = await orders(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect([...idsOf(first), ...idsOf(rest)]).toEqual([...orderIds].reverse());
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });
});
