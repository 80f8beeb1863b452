import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createTenant } from "../../../test/support/client.ts";
import { openService, serviceEngines, type TestService } from "../../../test/support/service.ts";
import { cleanEnvironment, lading } from "./support/lading.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService(serviceEngines[0]);
  await createTenant(service.url, service.operatorToken, "grouped");
});
afterAll(() => service.close());
beforeEach(async () => {
  await cleanEnvironment();
  vi.stubEnv("LADING_URL", service.url);
  vi.stubEnv("LADING_OPERATOR_TOKEN", service.operatorToken);
});

test("a group without a role, an unknown tenant and a missing role are refused", async () => {
  const refused = [
    ["group", "unmap", "nobody", "--tenant", "grouped"],
    ["group", "map", "g", "--tenant", "nowhere", "--role", "reader"],
    ["group", "map", "g", "--tenant", "grouped"],
  ];
  const outcomes = [];
  for (const words of refused) outcomes.push(await lading(words));
  expect(outcomes.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining('The group "nobody" has no role in the tenant "grouped"'),
    expect.stringContaining('There is no tenant "nowhere"'),
    expect.stringContaining("--role"),
  ]);
});

test("a group is mapped, listed, mapped to another role and unmapped", async () => {
  await lading(["group", "map", "editors", "--tenant", "grouped", "--role", "reader"]);
  await lading(["group", "map", "editors", "--tenant", "grouped", "--role", "planner"]);
  const role = { group: "editors", tenantIdentifier: "grouped", role: "planner" };
  expect(JSON.parse((await lading(["group", "list", "--json"])).stdout)).toEqual([role]);
  expect((await lading(["group", "list"])).stdout).toMatch(
    /group +tenant +role\n-* *editors +grouped +planner/,
  );
  const { stdout } = await lading(["group", "unmap", "editors", "--tenant", "grouped", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ unmapped: role });
  expect(JSON.parse((await lading(["group", "list", "--json"])).stdout)).toEqual([]);
});
