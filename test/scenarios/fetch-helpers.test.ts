import { beforeAll, describe, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { type FinishedTask, openService, runFile, serviceEngines } from "../support/service.ts";
import { earlier, fern } from "./fetched-entities.ts";

const reads: [template: string, text: string][] = [
  ["{{ valueOf (fetchItemByResourceIdentifier 'fern') 'name' }}", "Fern"],
  ["{{ valueOf (fetchItemById fern.id) 'type' }}", "product"],
  ["{{ valueOf (fetchItemByResourceIdentifier 'fern' 'en' 'draft') 'version.label' }}", "draft"],
  ["{{ valueOf (fetchItemByResourceIdentifier 'fern') 'tree.path' }}", "/plants/fern"],
  ["{{ valueOf (fetchItemByResourceIdentifier 'fern') 'components.care.content.text' }}", "Shade"],
  ["{{ valueOf (fetchItemByResourceIdentifier 'fern') 'components.0.type' }}", "singleLine"],
  [
    "{{ valueOf (fetchItemByResourceIdentifier 'fern') 'components.facts.content.chunks.0.height.content.number' }}",
    "0.4",
  ],
  ["{{ valueOf (fetchItemByResourceIdentifier 'fern') 'variants.[fern.large].name' }}", "Large fern"],
  ["{{ valueOf (fetchItemByResourceIdentifier 'fern') 'defaultVariant.sku' }}", "fern-small"],
  ["{{ valueOf (fetchProductVariantBySku 'fern-small') 'stock' }}", "7"],
  ["{{ valueOf (fetchProductVariantBySku 'fern.large') 'priceVariants.default.price' }}", "12.5"],
  ["{{ valueOf (fetchOrderById order.id) 'cart.0.quantity' }}", "2"],
  ["{{ valueOf (fetchOrderById order.id) 'customer.email' }}", "ada@example.com"],
  ["{{ valueOf (fetchCustomerByIdentifier 'ada') 'firstName' }}", "Ada"],
  ["{{ valueOf (fetchCustomerByIdentifier 'ada') 'meta.tier.value' }}", "gold"],
  ["{{ valueOf (fetchCustomerGroupByIdentifier 'friends') 'name' }}", "Friends"],
  ["{{ valueOf (fetchTopicByResourceIdentifier 'green') 'path' }}", "/colors/deep-green"],
  ["{{ valueOf (fetchTopicByResourceIdentifier 'green' 'en') 'displayColor' }}", "#0a0"],
  ["{{ valueOf (fetchPriceListByIdentifier 'spring') 'priceVariants.default.modifier' }}", "-10"],
  [
    "{{ valueOf (fetchPriceListByIdentifier 'spring') 'selectedProductVariants.variants.0.sku' }}",
    "fern-small",
  ],
  ["{{#if (valueOf (fetchCustomerByIdentifier 'ada') 'lastName')}}y{{else}}n{{/if}}", "n"],
  ["{{#if (valueOf (fetchCustomerByIdentifier 'ada') 'nickname')}}y{{else}}n{{/if}}", "n"],
  ["{{#with (fetchCustomerByIdentifier 'ada')}}{{ firstName }} {{ identifier }}{{/with}}", "Ada ada"],
  ["{{ (fetchCustomerByIdentifier 'ada').firstName }}", "Ada"],
  [
    "{{ valueOf (fetchItemByResourceIdentifier (valueOf (fetchItemByResourceIdentifier 'fern') 'resourceIdentifier')) 'name' }}",
    "Fern",
  ],
  ["{{ valueOf fern 'id' }}", "__fern"],
  ["{{ idOf 'product' 'sku' 'fern.large' }}", "__fern"],
  ["{{ idOf 'product' 'resourceIdentifier' 'fern' }}", "__fern"],
  ["{{ valueOf (fetchItemById (idOf 'product' 'sku' 'fern-small')) 'name' }}", "Fern"],
  ["{{#if (idOf 'topic' 'path' '/colors/deep-green')}}y{{/if}}", "y"],
  ["{{ idOf 'vatType' 'name' 'No tax' }}", "000000000000000000000001"],
  ["{{ idOf 'product' 'sku' 'moss' }}", "97a9fe059982f01c4d7351ba"],
  ["{{ idOf 'topic' 'path' '/colors/pale' }}", "4c640279df2bd3421e7817b7"],
  ["{{ idOf 'topic' 'path' '/colors/pale' 'en' }}", "4c640279df2bd3421e7817b7"],
];

/** A template, and the status code and texts of its failure. */
const failures: [template: string, statusCode: number, ...texts: string[]][] = [
  [
    "{{ valueOf (fetchItemById '65a000000000000000000001') 'id' }}",
    404,
    'fetchItemById: no item has the id "65a000000000000000000001"',
  ],
  [
    "{{ valueOf (fetchItemByResourceIdentifier 'moss') 'id' }}",
    404,
    'no item has the resource identifier "moss"',
  ],
  [
    "{{ valueOf (fetchItemByResourceIdentifier 'fern' 'en' 'published') 'id' }}",
    404,
    'and is published in "en"',
  ],
  [
    "{{ valueOf (fetchItemByResourceIdentifier 'fern' 'en' 'current') 'id' }}",
    400,
    'knows the versions "draft" and "published", not "current"',
  ],
  ["{{ valueOf (fetchItemByResourceIdentifier 'fern' 'no') 'id' }}", 404, 'no language "no"; it has "en"'],
  [
    "{{ valueOf (fetchItemByResourceIdentifier 'fern' 'enn') 'id' }}",
    404,
    'no language "enn"; did you mean "en"? It has "en"',
  ],
  [
    "{{ valueOf (fetchProductVariantBySku 'moss') 'sku' }}",
    404,
    'fetchProductVariantBySku: no product variant has the SKU "moss"',
  ],
  ["{{ valueOf (fetchProductVariantBySku 'fern-small' 'en' 'published') 'sku' }}", 404, "and is published"],
  ["{{ valueOf (fetchOrderById 'x') 'id' }}", 404, 'fetchOrderById: no order has the id "x"'],
  ["{{ valueOf (fetchCustomerByIdentifier 'bob') 'id' }}", 404, 'no customer has the identifier "bob"'],
  [
    "{{ valueOf (fetchCustomerGroupByIdentifier 'foes') 'id' }}",
    404,
    'no customer group has the identifier "foes"',
  ],
  [
    "{{ valueOf (fetchTopicByResourceIdentifier 'blue') 'id' }}",
    404,
    'no topic has the resource identifier "blue"',
  ],
  ["{{ valueOf (fetchTopicByResourceIdentifier 'green' 'en' 'draft') 'id' }}", 400, "it got 3 arguments"],
  [
    "{{ valueOf (fetchImageByResourceIdentifier 'photo') 'key' }}",
    404,
    'no image has the resource identifier "photo"',
  ],
  [
    "{{ valueOf (fetchPriceListByIdentifier 'autumn') 'name' }}",
    404,
    'no price list has the identifier "autumn"',
  ],
  ["{{ valueOf (fetchSubscriptionContractById 'x') 'id' }}", 404, 'no subscription contract has the id "x"'],
  ["{{#if (fetchCustomerByIdentifier 'bob')}}y{{/if}}", 404, 'no customer has the identifier "bob"'],
  ["{{ fetchCustomerByIdentifier 'ada' }}", 400, "cannot be printed"],
  ["{{ fetchCustomerByIdentifier }}", 400, "takes identifier; it got 0 arguments"],
  ["{{ fetchCustomerByIdentifier 'ada' 'en' }}", 400, "it got 2 arguments"],
  ["{{ fetchItemById id='x' }}", 400, 'takes no named arguments; it got "id"'],
  ["{{ fetchItemById '' }}", 400, "its first argument is a text"],
  ["{{ idOf 'plant' 'sku' 'fern' }}", 400, "knows the kinds folder, document, product, topic", 'not "plant"'],
  ["{{ idOf 'topic' 'sku' 'fern' }}", 400, 'finds a topic by resourceIdentifier or path, not by "sku"'],
  ["{{ idOf 'topic' 'path' '' }}", 400, "takes texts that are not empty"],
  ["{{ idOf 'topic' 'constructor' 'x' }}", 400, "not by"],
  [
    "{{ valueOf (fetchCustomerByIdentifier 'ada') 'firstNam' }}",
    400,
    'no property "firstNam"',
    'Did you mean "firstName"',
  ],
  [
    "{{ valueOf (fetchCustomerByIdentifier 'ada') 'phone' }}",
    400,
    "\"(valueOf (fetchCustomerByIdentifier 'ada') 'phone')\" is null, which cannot be printed",
    "write {{#if (valueOf (fetchCustomerByIdentifier 'ada') 'phone')}}…{{/if}}",
  ],
  ["{{ valueOf (fetchCustomerByIdentifier 'ada') 'constructor' }}", 400, 'no property "constructor"'],
  ["{{ valueOf (fetchCustomerByIdentifier 'ada') 'meta.__proto__' }}", 400, 'no property "__proto__"'],
  ["{{ valueOf (fetchCustomerByIdentifier 'ada') 'a..b' }}", 400, "takes a path such as"],
  [
    "{{ valueOf (fetchCustomerByIdentifer 'ada') 'identifier' }}",
    400,
    'no helper "fetchCustomerByIdentifer"',
    'Did you mean "fetchCustomerByIdentifier"',
  ],
];

const named = (name: string, index: number) => ({
  intent: "customer/group/upsert",
  identifier: `read-${index}`,
  name,
});

describe.each(serviceEngines)("fetch helpers on %s", (engine) => {
  let tenant: TenantClient;
  let task: FinishedTask;
  const service = opened(() => openService(engine));
  beforeAll(async () => {
    tenant = await service.tenant("plants");
    const operations = [...earlier.map((each) => (each === fern ? { _ref: "fern", ...fern } : each))];
    task = await runFile(tenant, {
      version: "1.0.0",
      operations: [
        ...operations,
        ...[...failures, ...reads].map(([template], index) => named(template, index)),
      ],
    });
  });

  test.each(failures.map((row, index) => [row[0], row, index] as const))(
    "the fetch helper %s fails and says why and where",
    (_template, [, statusCode, ...texts], index) => {
      const entry = task.log[earlier.length + index];
      expect(entry).toMatchObject({ status: "failure", statusCode });
      for (const text of texts) expect(entry?.message).toContain(text);
      expect(entry?.message).toContain(`(operations[${earlier.length + index}], /name)`);
    },
  );

  test.each(reads.map(([template, text], index) => [template, text, index] as const))(
    "the fetch helper %s reads %s in the task that made it",
    async (_template, text, index) => {
      const entry = task.log[earlier.length + failures.length + index];
      expect(entry).toMatchObject({ status: "success", action: "created" });
      const fernId = task.log.find(({ ref }) => ref === "fern")?.output?.id as string;
      const { customerGroup } = await tenant.graphql<{ customerGroup: { name: string } }>(
        `{ customerGroup(identifier: "read-${failures.length + index}") {
           ... on CustomerGroup { name } ... on BasicError { error } } }`,
      );
      expect(customerGroup.name).toBe(text === "__fern" ? fernId : text);
    },
  );

  test("fetch helpers read what earlier tasks wrote; of published items the published version, with current stock", async () => {
    const later = await runFile(tenant, {
      version: "1.0.0",
      operations: [
        {
          intent: "item/publish",
          itemId: "{{ valueOf (fetchItemByResourceIdentifier 'fern') 'id' }}",
          language: "en",
        },
        {
          intent: "product/variant/stock/modify",
          sku: "fern-small",
          stockLocationIdentifier: "default",
          operation: "overwrite",
          quantity: 3,
        },
        { intent: "product/update", resourceIdentifier: "fern", language: "en", name: "Old fern" },
        named("{{ valueOf (fetchItemByResourceIdentifier 'fern' 'en' 'published') 'name' }}", 0),
        named(
          "{{ valueOf (fetchItemByResourceIdentifier 'fern' 'en' 'published') 'variants.fern-small.stock' }}",
          1,
        ),
        named("{{ valueOf (fetchProductVariantBySku 'fern-small' 'en' 'published') 'stock' }}", 2),
        named("{{ valueOf (fetchProductVariantBySku 'fern-small') 'stock' }}", 3),
        {
          intent: "product/variant/stock/modify",
          sku: "fern-small",
          stockLocationIdentifier: "default",
          operation: "increase",
          quantity: "{{ valueOf (fetchProductVariantBySku 'fern-small') 'stock' }}",
        },
        named("{{ valueOf (fetchProductVariantBySku 'fern-small') 'stock' }}", 4),
      ],
    });
    expect(later.log.map(({ status, statusCode }) => [status, statusCode])).toEqual(
      Array(9).fill(["success", 200]),
    );
    const { customerGroups } = await tenant.graphql<{
      customerGroups: { edges: { node: { identifier: string; name: string } }[] };
    }>(
      `{ customerGroups { ... on CustomerGroupConnection { edges { node { identifier name } } } ... on BasicError { error } } }`,
    );
    const names = new Map(customerGroups.edges.map(({ node }) => [node.identifier, node.name]));
    expect([0, 1, 2, 3, 4].map((index) => names.get(`read-${index}`))).toEqual(["Fern", "3", "3", "3", "6"]);
  });

  test("validation reports a wrong call of a fetch helper at its position in the string", () => {
    const found = task.issues.map(({ code, message }) => `${code}: ${message}`);
    expect(found).toContainEqual(
      expect.stringContaining('HelperArguments: "fetchCustomerByIdentifier" takes identifier'),
    );
    expect(found).toContainEqual(
      expect.stringContaining('HelperArguments: "fetchItemByResourceIdentifier" knows the versions'),
    );
    expect(found).toContainEqual(
      expect.stringContaining('UnknownHelper: there is no helper "fetchCustomerByIdentifer"'),
    );
  });
});
