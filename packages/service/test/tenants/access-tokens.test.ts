import { describe, expect, test } from "vitest";
import { headersOf, useApi } from "../http/support.ts";
import { auditTrail, createToken, revokeToken, showTenant } from "./operator-api.ts";

describe("access tokens", () => {
  const api = useApi();

  const use = (
    token: { id: string; secret: string },
    query = "{ accessToken { id name role lastUsedAt } }",
  ) => api.send({ method: "POST", url: "/@shop", headers: headersOf(token), payload: { query } });

  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  test("an access token is refused an empty or long name, and a time that has passed or is not one", async () => {
    const wrong = [
      { name: " ", role: "admin" },
      { name: "x".repeat(129), role: "admin" },
      { name: "late", role: "admin", expiresAt: "2020-01-01T00:00:00Z" },
      { name: "never", role: "admin", expiresAt: "tomorrow" },
    ];
    for (const input of wrong)
      expect(await createToken(api, input), JSON.stringify(input)).toMatchObject({
        errorName: "ValidationError",
      });
  });

  test("a token of a tenant that does not exist can be neither created nor revoked", async () => {
    const input = { name: "a token", role: "admin" };
    expect(await createToken(api, input, "nobody")).toEqual({
      errorName: "TenantNotFoundError",
      message: 'There is no tenant "nobody"',
    });
    expect(await revokeToken(api, api.shop.accessTokenId, "nobody")).toMatchObject({
      errorName: "TenantNotFoundError",
    });
  });

  test("only a tenant's own token is revoked by its id", async () => {
    expect(await revokeToken(api, "none")).toEqual({
      errorName: "AccessTokenNotFoundError",
      message: 'The tenant has no access token with the id "none"',
    });
  });

  test("an expired token is refused with that reason, but not one with a wrong secret", async () => {
    const { accessToken, secret } = await createToken(api, {
      ...{ name: "short", role: "admin", expiresAt: inAnHour() },
    });
    expect((await use({ id: accessToken.id, secret })).status).toBe(200);
    await api.database.execute("UPDATE access_tokens SET expires_at = now() WHERE id = $1", [accessToken.id]);
    const expired = await use({ id: accessToken.id, secret });
    expect([expired.status, expired.body.message]).toEqual([401, expect.stringContaining("expired at 20")]);
    const wrong = await use({ id: accessToken.id, secret: "wrong" });
    expect([wrong.status, wrong.body.message]).toEqual([401, expect.not.stringContaining("expired")]);
  });

  test("a token with the role of a reader reads, and changes nothing", async () => {
    const { accessToken, secret } = await createToken(api, { name: "eyes", role: "reader" });
    const read = await use({ id: accessToken.id, secret });
    expect(read.body.data.accessToken).toMatchObject({ name: "eyes", role: "reader" });
    const change = `mutation { createCustomerGroup(input: {identifier: "g"}) {
      ... on CustomerGroup { identifier } ... on BasicError { errorName } } }`;
    const { body } = await use({ id: accessToken.id, secret }, change);
    expect(body.data.createCustomerGroup).toEqual({ errorName: "UnauthorizedError" });
  });

  test("the secret of a token is shown once and stored only as a hash", async () => {
    const { secret } = await createToken(api, { name: "hidden", role: "admin" });
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const rows = await api.database.query("SELECT * FROM access_tokens");
    const trail = await api.database.query("SELECT * FROM audit_trail");
    expect(JSON.stringify([rows, trail, await showTenant(api, "shop")])).not.toContain(secret);
  });

  test("a revoked token is refused from that moment", async () => {
    const { accessToken, secret } = await createToken(api, { name: "gone", role: "admin" });
    const token = { id: accessToken.id, secret };
    expect((await use(token)).status).toBe(200);
    expect(await revokeToken(api, token.id)).toMatchObject({ accessToken: { name: "gone", role: "admin" } });
    expect((await use(token)).status).toBe(401);
    expect(await revokeToken(api, token.id)).toMatchObject({ errorName: "AccessTokenNotFoundError" });
  });

  test("a token is revoked while it is in use", async () => {
    const { accessToken, secret } = await createToken(api, { name: "busy", role: "admin" });
    const uses = Array.from({ length: 20 }, () => use({ id: accessToken.id, secret }));
    const [revoked, ...answers] = await Promise.all([revokeToken(api, accessToken.id), ...uses]);
    expect(revoked).toMatchObject({ accessToken: { id: accessToken.id } });
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
  });

  test("the last use of a token is recorded, and not again within the minute", async () => {
    const { accessToken, secret } = await createToken(api, { name: "noted", role: "reader" });
    expect(accessToken.lastUsedAt).toBeNull();
    const noted = async () => {
      await use({ id: accessToken.id, secret });
      const [row] = await api.database.query<{ at: string }>(
        "SELECT last_used_at::text AS at FROM access_tokens WHERE id = $1",
        [accessToken.id],
      );
      return row?.at;
    };
    const first = await noted();
    expect(first).toEqual(expect.any(String));
    expect(await noted()).toBe(first);
    const earlier = "UPDATE access_tokens SET last_used_at = now() - interval '2 minutes' WHERE id = $1";
    await api.database.execute(earlier, [accessToken.id]);
    expect(Date.parse((await noted()) as string)).toBeGreaterThanOrEqual(Date.parse(first as string));
  });

  test("the audit trail says who created and revoked a token", async () => {
    const { accessToken } = await createToken(api, { name: "traced", role: "reader" });
    await revokeToken(api, accessToken.id);
    const details = { name: "traced", role: "reader" };
    const by = { tenantIdentifier: "shop", actor: "operator", accessTokenId: null, accessTokenName: null };
    expect(await auditTrail(api, { subjectId: accessToken.id })).toEqual([
      { ...by, action: "accessToken.revoked", subjectId: accessToken.id, details },
      {
        ...{ ...by, action: "accessToken.created", subjectId: accessToken.id },
        details: { ...details, expiresAt: null },
      },
    ]);
  });
});
