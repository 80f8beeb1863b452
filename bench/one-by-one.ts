import type { TenantClient } from "../test/support/client.ts";
import { productUpsert } from "./workload.ts";

/** Sends product upserts one at a time over GraphQL, each when the one before is answered; returns how many a second. */
export async function oneByOne(service: TenantClient, count: number, firstNumber: number): Promise<number> {
  const { tenant } = await service.graphql<{ tenant: { rootItemId: string; vatTypes: { id: string }[] } }>(
    "{ tenant { rootItemId vatTypes { id } } }",
  );
  const started = performance.now();
  for (let number = firstNumber; number < firstNumber + count; number++) {
    const { language, ...input } = productUpsert(number, 0);
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
