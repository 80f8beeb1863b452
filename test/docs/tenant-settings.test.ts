import { intentNames, intents } from "@lading/schema/internal";
import { beforeAll, describe, expect, test } from "vitest";
import { settingKinds } from "../../packages/service/src/domain/settings/kinds.ts";
import { initialSettings } from "../../packages/service/src/storage/tenants/settings.ts";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { type FinishedTask, openService, runFile, serviceEngines } from "../support/service.ts";
import { blocks, codes, page, rows } from "./pages.ts";

const file = "docs/tenant-settings.md";
const text = page(file);

describe(file, () => {
  let client: TenantClient;
  const service = opened(() => openService(serviceEngines[0]));
  beforeAll(async () => {
    client = await service.tenant("acme");
  });

  test.each(blocks(text, "graphql"))("a query of docs/tenant-settings.md succeeds: %s", async (query) => {
    const data = await client.graphql<Record<string, object>>(query);
    for (const answer of Object.values(data)) expect(answer).not.toHaveProperty("errorName");
  });

  test.each(blocks(text, "json run"))("the file of docs/tenant-settings.md runs twice: %s", async (file) => {
    const tenant = await service.tenant("from-file");
    const [first, second] = [await runFile(tenant, file), await runFile(tenant, file)];
    const upserts = ({ log }: FinishedTask) => log.filter(({ intent }) => intent.endsWith("/upsert"));
    for (const { log, issues } of [first, second]) {
      expect(log.filter(({ status }) => status !== "success")).toEqual([]);
      expect(issues).toEqual([]);
    }
    expect(upserts(first).map(({ intent }) => intent)).toEqual(
      intentNames.filter((intent) => intents[intent].ours && intent.endsWith("/upsert")),
    );
    expect(new Set(upserts(first).map(({ action }) => action))).toEqual(new Set(["created"]));
    expect(new Set(upserts(second).map(({ action }) => action))).toEqual(new Set(["unchanged"]));
  });

  test("docs/tenant-settings.md has every setting with its key and a new tenant's defaults", () => {
    const settings = initialSettings();
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
