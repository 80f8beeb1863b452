import { describe, expect, test } from "vitest";
import { useApi } from "../http/support.ts";

const url = "https://shop.example/hooks?token=hidden";
const changed = "... on ChangedWebhook { webhook { url previousUntil } secret }";
const failed = "... on BasicError { errorName message }";

describe("the webhook of a tenant", () => {
  const api = useApi();

  const ask = async (query: string, variables: Record<string, unknown> = {}) =>
    (Object.values(await api.data(query, variables)) as Record<string, unknown>[])[0];
  const set = (address: string | null) =>
    ask(`mutation ($url: String) { setWebhook(input: {url: $url}) { ${changed} ${failed} } }`, {
      url: address,
    });
  const rotate = (input: object) =>
    ask(
      `mutation ($input: RotateWebhookSecretInput) { rotateWebhookSecret(input: $input) { ${changed} ${failed} } }`,
      { input },
    );
  const read = () => ask(`{ webhook { ... on Webhook { url rotatedAt } ${failed} } }`);
  const remove = () => ask(`mutation { removeWebhook { ... on DeleteCount { removed } ${failed} } }`);
  const create = async () => {
    const key = await api.uploaded();
    const mutation = `mutation ($input: CreateMassOperationBulkTaskInput!) {
      createMassOperationBulkTask(input: $input) { ... on BulkTaskMassOperation { id } ${failed} } }`;
    return (more: object) => ask(mutation, { input: { key, ...more } });
  };

  test("a tenant without a webhook has nothing to show, to rotate, to remove or to sign with", async () => {
    const missing = { errorName: "WebhookNotFoundError" };
    const ofTask = (await create())({ webhookUrl: url });
    for (const answer of [read(), rotate({}), remove(), ofTask]) expect(await answer).toMatchObject(missing);
  });

  test.each([
    ["ftp://shop.example/", "only http and https"],
    ["https://name:password@shop.example/", "a name or a password"],
    ["http://10.0.0.1/", "does not lead to a public address and is not among LADING_WEBHOOK_HOSTS"],
    [`https://shop.example/${"a".repeat(2_000)}`, "at most 2000 characters"],
    ["shop", "not a URL"],
  ])("an address that cannot be used is refused: %s", async (address, reason) => {
    const refused = { errorName: "ValidationError", message: expect.stringContaining(reason) };
    expect(await set(address)).toMatchObject(refused);
    expect(await (await create())({ webhookUrl: address })).toMatchObject(refused);
  });

  test("the secret is shown when it is made, and never again; rotating makes another", async () => {
    const first = await set(url);
    expect(first).toMatchObject({
      webhook: { url, previousUntil: null },
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(await set(`${url}2`)).toEqual({ webhook: { url: `${url}2`, previousUntil: null }, secret: null });
    expect(await rotate({ previousHours: 169 })).toMatchObject({ errorName: "ValidationError" });
    expect(await rotate({ previousHours: -1 })).toMatchObject({ errorName: "ValidationError" });
    const second = await rotate({});
    expect(second).toMatchObject({ webhook: { previousUntil: expect.any(String) } });
    expect(second?.secret).not.toBe(first?.secret);
    expect(await read()).toEqual({ url: `${url}2`, rotatedAt: expect.any(String) });
    const [stored] = await api.database.query<{ row: string }>("SELECT w::text AS row FROM webhooks w");
    const bytes = Buffer.from(String(second?.secret).replace("whsec_", ""), "base64");
    for (const form of [bytes.toString("hex"), Buffer.from(String(second?.secret)).toString("hex"), "whsec_"])
      expect(stored?.row).not.toContain(form);
  });

  test("a reader sees neither the webhook nor its deliveries, and changes nothing", async () => {
    const headers = await api.tokenHeaders("reader");
    const send = async (query: string) =>
      JSON.stringify((await api.send({ method: "POST", url: "/@shop", headers, payload: { query } })).body);
    const queries = [
      `{ webhook { ... on Webhook { url } ${failed} } }`,
      "{ webhookDeliveries { edges { node { url } } } }",
      `mutation { setWebhook(input: {}) { ${changed} ${failed} } }`,
      `mutation { rotateWebhookSecret { ${changed} ${failed} } }`,
      `mutation { removeWebhook { ... on DeleteCount { removed } ${failed} } }`,
    ];
    for (const query of queries) {
      const answer = await send(query);
      expect(answer, query).toContain("needs the role admin");
      expect(answer, query).not.toContain("hidden");
    }
  });

  test("the same request under an idempotency key names the same address", async () => {
    const request = await create();
    const input = { idempotencyKey: "k", webhookUrl: url };
    const first = await request(input);
    expect(await request(input)).toEqual(first);
    const other = await request({ ...input, webhookUrl: "https://other.example/" });
    expect(other).toMatchObject({ errorName: "IdempotencyKeyExistsError" });
    expect(other?.message).toMatch(/^(?!.*(hidden|other\.example)).*another webhookUrl/);
  });

  test("the audit trail says who changed the webhook, without the address and the secret", async () => {
    await remove();
    const { auditTrail } = await api.data(
      "{ auditTrail { edges { node { action details accessTokenName } } } }",
      {},
    );
    const entries = auditTrail.edges.map(({ node }: { node: { action: string } }) => node);
    const about = entries.filter(({ action }: { action: string }) => action.startsWith("webhook."));
    const by = { accessTokenName: "first token" };
    expect(about.reverse()).toEqual([
      ...[1, 2].map(() => ({ ...by, action: "webhook.set", details: { origin: "https://shop.example" } })),
      { ...by, action: "webhook.rotated", details: { previousHours: 24 } },
      { ...by, action: "webhook.removed", details: null },
    ]);
  });
});
