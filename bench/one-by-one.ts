import type { TenantClient } from "../test/support/client.ts";
import { productUpsert } from "./workload.ts";

/**
 * Sends the first product upserts again, one at a time over GraphQL, each when the one before is answered; returns
 * how many a second. `round` is one that changes them.
 */
export async function oneByOne(service: TenantClient, count: number, round: number): Promise<number> {
  const { tenant } = await service.graphql<{ tenant: { rootItemId: string; vatTypes: { id: string }[] } }>(
    "{ tenant { rootItemId vatTypes { id } } }",
  );
  const started = performance.now();
  for (let number = 0; number < count; number++) {
    const { language, ...input } = productUpsert(number, round);
    const literal = { ...input, tree: { parentId: tenant.rootItemId }, vatTypeId: tenant.vatTypes[0]?.id };
    const { upsertProduct } = await service.graphql<{ upsertProduct: { error?: string } }>(
      `mutation ($language: String!, $input: UpsertProductInput!) { upsertProduct(language: $language, input: $input) {
         ... on Product { id } ... on BasicError { error errorName } } }`,
      { language, input: literal },
    );
    if (upsertProduct.error !== undefined) throw new Error(upsertProduct.error);
  }
  return count / ((performance.now() - started) / 1000);
}
