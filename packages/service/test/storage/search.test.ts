import { beforeAll, describe, expect, test } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { opened } from "../../../../test/support/opened.ts";
import type { Queries } from "../../src/storage/database.ts";
import { search } from "../../src/storage/queries/search.ts";

describe.each(engines)("a search on $name", ({ open }) => {
  const database = opened(open);
  beforeAll(async () => {
    await database.execute(
      `INSERT INTO customers (tenant_id, identifier, type, external_references, meta, addresses, parents, created_at,
         updated_at)
       SELECT 't', 'fern-' || n, 'individual', '[]', '{}', '[]', '[]', now(), now() FROM generate_series(1, 8) AS n`,
    );
  });

  test("skips nothing when a hit is deleted before the rest of it is read", async () => {
    let isFirst = true;
    const meanwhile: Queries = {
      ...database,
      query: async (...given) => {
        const rows = await database.query<never>(...given);
        if (isFirst) await database.execute("DELETE FROM customers WHERE identifier < 'fern-4'");
        isFirst = false;
        return rows;
      },
    };
    const found: string[] = [];
    let after: string | null = null;
    do {
      const request = { text: "fern", kinds: ["customer"] as const, first: 2, after };
      const page: Awaited<ReturnType<typeof search>> = await search(meanwhile, "t", request);
      found.push(...page.hits.map(({ key }) => key));
      after = page.endCursor;
    } while (after !== null);
    expect(found).toEqual(["fern-4", "fern-5", "fern-6", "fern-7", "fern-8"]);
  });
});
