import { defaultVariables, operationHelpers } from "@lading/schema/internal";
import { describe, expect, test } from "vitest";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { openExampleService } from "../support/examples.ts";
import { opened } from "../support/opened.ts";
import { runFile, serviceEngines } from "../support/service.ts";
import { blocks, codes, page, rows, section } from "./pages.ts";

const file = "docs/templates.md";
const text = page(file);
const examples = blocks(text, "json run");

const fetched: Readonly<Record<string, string>> = {
  item: "(fetchItemByResourceIdentifier 'sencha')",
  "product variant": "(fetchProductVariantBySku 'sencha-100')",
  topic: "(fetchTopicByResourceIdentifier 'green')",
  image: "(fetchImageByResourceIdentifier 'photo-sencha')",
  order: "(fetchOrderById '{order}')",
  "subscription contract": "(fetchSubscriptionContractById '{contract}')",
  customer: "(fetchCustomerByIdentifier 'okakura')",
  "customer group": "(fetchCustomerGroupByIdentifier 'tea-club')",
  "price list": "(fetchPriceListByIdentifier 'club')",
};

describe(file, () => {
  const service = opened(() => openExampleService(serviceEngines[0]));

  test("docs/templates.md has the helpers of the code: after a change, run `npm run generate`", () => {
    expect(text).toBe(withTables(file, text));
  });

  test("docs/templates.md has an example of each helper and of each default variable", () => {
    const all = examples.join("\n");
    for (const name of Object.keys(operationHelpers)) expect(all).toMatch(new RegExp(`[{(] ?${name} `));
    for (const name of defaultVariables) expect(all).toContain(`defaults.${name}`);
  });

  test.each(examples.map((example, i) => [i + 1, example] as const))(
    "example %i of docs/templates.md succeeds",
    async (i, example) => {
      const task = await runFile(await service.tenant(`example-${i}`), service.fetchable(example));
      expect(task.log.filter(({ status }) => status !== "success")).toEqual([]);
      expect(task).toMatchObject({ status: "complete", issues: [], info: null });
      expect(task.progress.succeeded).toBe(JSON.parse(example).operations.length);
    },
  );

  test("docs/templates.md lists the properties that fetched entities have, and no others", async () => {
    const tenant = await service.tenant("properties");
    const ids = new Map<string | null, unknown>();
    for (const example of examples)
      for (const { ref, output } of (await runFile(tenant, service.fetchable(example))).log)
        ids.set(ref, output?.id);
    const names = Object.values(fetched).map((call) => {
      const known = call.replace(/\{(\w+)\}/, (_, ref: string) => String(ids.get(ref)));
      return `{{#each ${known}}}{{@key}} {{/each}}`;
    });
    const operations = names.map((name, i) => ({
      intent: "customer/group/upsert",
      identifier: `keys-${i}`,
      name,
    }));
    const { log } = await runFile(tenant, { version: "1.0.0", operations });
    expect(log.map(({ message }) => message)).toEqual(
      names.map((_, i) => `created customer group "keys-${i}"`),
    );
    const { customerGroups } = await tenant.graphql<{
      customerGroups: { edges: { node: { identifier: string; name: string } }[] };
    }>(
      `{ customerGroups(first: 100) { ... on CustomerGroupConnection { edges { node { identifier name } } }
         ... on BasicError { error } } }`,
    );
    const printed = new Map(customerGroups.edges.map(({ node }) => [node.identifier, node.name]));
    const listed = new Map(
      rows(section(text, "The fetch helpers")).map(([entity, keys = ""]) => [entity, keys]),
    );
    for (const [i, entity] of Object.keys(fetched).entries()) {
      const keys = printed.get(`keys-${i}`)?.trim().split(" ").sort();
      expect([entity, codes(listed.get(entity) ?? "").sort()]).toEqual([entity, keys]);
    }
  });
});
