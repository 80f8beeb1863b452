import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { clientWithRole, type TenantClient } from "../../../../test/support/client.ts";
import { bin } from "../../../../test/support/lading.ts";
import { opened } from "../../../../test/support/opened.ts";
import { openService } from "../../../../test/support/service.ts";
import { openPostgres } from "../../../service/src/storage/engines/postgres.ts";
import { called } from "../support/agent.ts";
import { cleanEnvironment, lading } from "../support/lading.ts";

const service = opened(() => openService("postgresql"));
const database = opened(async () => openPostgres(service.databaseUrl as string));
const shop = opened(async () => ({ admin: await service.tenant("shop"), close() {} }));

beforeEach(async () => void (await cleanEnvironment()));

const planner = () => clientWithRole(service, shop.admin, "planner");

const variablesOf = ({ access }: TenantClient) => ({
  LADING_ACCESS_TOKEN_ID: access.accessTokenId,
  LADING_ACCESS_TOKEN_SECRET: access.accessTokenSecret,
});

const logIn = async ({ access }: TenantClient) => {
  const token = ["--token-id", access.accessTokenId, "--token-secret", access.accessTokenSecret];
  expect(await lading(["login", "shop", ...token, "--url", service.url])).toMatchObject({ code: 0 });
};

const expire = ({ access }: TenantClient) =>
  database.execute("UPDATE access_tokens SET expires_at = now() WHERE id = $1", [access.accessTokenId]);

/** A session with the command in a process of its own, which has the environment of this one and more. */
async function session(env: Record<string, string> = {}) {
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  const args = [bin, "mcp", "shop", "--url", service.url];
  const whole = { ...(process.env as Record<string, string>), ...env };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: whole, stderr: "pipe" }),
  );
  return async (name: string, input = {}) => called(await client.callTool({ name, arguments: input }));
}

const operations = [{ intent: "customer/group/upsert", identifier: "vip", name: "Important" }];

test.each([
  ["environment", variablesOf, /This session keeps the token .*LADING_ACCESS_TOKEN_ID .* connects again\.$/],
  ["saved tokens", () => ({}), /A person saves another token with `lading login shop`; call again then/],
])(
  "a token of the %s that expires in a session fails each call that needs it, and the answer says what to do",
  async (where, environment, remedy) => {
    const token = await planner();
    await logIn(token);
    const call = await session(environment(token));
    expect((await call("describe_content_model")).says).toContain("0 shapes");
    await expire(token);
    for (const [name, input] of [["describe_content_model"], ["plan", { operations }], ["task"]] as const) {
      const { isError, data, says, text } = await call(name, input);
      expect(isError, name).toBe(true);
      expect(data.error).toMatch(/\/@shop refused the token: The access token expired at \d{4}-.*Z\.$/);
      expect(says).toMatch(remedy);
      expect(text).not.toContain(token.access.accessTokenSecret);
    }
    expect((await call("validate", { operations })).says).toContain("0 errors");
    await logIn(await planner());
    const next = await call("plan", { operations });
    if (where === "environment") expect(next.says).toMatch(remedy);
    else expect(next.says).toMatch(/^Task [0-9a-f]{24}, plan: complete/);
  },
);
