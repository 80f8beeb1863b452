import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { initialSettings } from "../../packages/service/src/storage/tenants/settings.ts";
import { settingKinds } from "../../packages/service/src/tenants/setting-kinds.ts";
import type { TenantClient } from "../support/client.ts";
import { openService, type TestService } from "../support/service.ts";
import { blocks, codes, page, rows } from "./pages.ts";

const file = "docs/tenant-settings.md";
const text = page(file);

describe(file, () => {
  let service: TestService;
  let client: TenantClient;
  beforeAll(async () => {
    service = await openService("pglite");
    client = await service.tenant("acme");
  });
  afterAll(() => service.close());

  test.each(blocks(text, "graphql"))("a query of docs/tenant-settings.md succeeds: %s", async (query) => {
    const data = await client.graphql<Record<string, object>>(query);
    for (const answer of Object.values(data)) expect(answer).not.toHaveProperty("errorName");
  });

  test("docs/tenant-settings.md names every setting, what operations name it by, and what a new tenant has", () => {
    const settings = initialSettings("");
    const table = rows(text).map(([what = "", by = "", , has = ""]) => [
      what.toLowerCase(),
      codes(by)[0],
      has,
    ]);
    const kinds = Object.values(settingKinds).map(({ what, key, list }) => [
      what.toLowerCase(),
      key,
      settings[list].length > 0,
    ]);
    expect(table.map(([what, by, has]) => [what, by, has !== "none"])).toEqual(kinds);
  });
});
