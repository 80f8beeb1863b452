import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../../test/support/servers/port.ts";
import { guardedConnections } from "../../src/system/outbound/connections.ts";
import { allowedHosts } from "../../src/system/outbound/target.ts";
import { pauseAfter, webhookLimits } from "../../src/webhooks/limits.ts";
import { post } from "../../src/webhooks/post.ts";
import { newWebhookSecret, signedHeaders } from "../../src/webhooks/signature.ts";

test("a signature is that of the example of Standard Webhooks' libraries", () => {
  const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: '{"test": 2432232314}' };
  const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", newWebhookSecret()];
  const { "webhook-signature": signatures = "" } = signedHeaders(message, secrets);
  expect(signatures).toMatch(/^v1,g0hM9SsE\+OTPJTGt\/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,[\w+/]{43}=$/);
});

test("a new secret has 256 bits, and is another one each time", () => {
  const [one, two] = [newWebhookSecret(), newWebhookSecret()];
  expect(Buffer.from(one.replace(/^whsec_/, ""), "base64")).toHaveLength(32);
  expect(one).not.toBe(two);
});

test.each([0, 1])("eight tries, with longer and longer pauses, end within 24 hours: chance %d", (chance) => {
  const pauses = Array.from({ length: webhookLimits.tries }, (_, i) => pauseAfter(i + 1, () => chance));
  expect(pauses.at(-1)).toBe(null);
  const hours = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / 3_600_000;
  expect(hours).toBeGreaterThan(22);
  expect(hours).toBeLessThan(24);
  for (const [i, pause] of pauses.slice(1, -1).entries()) expect(pause).toBeGreaterThan((pauses[i] ?? 0) * 3);
});

test("a host that does not speak TLS is said to be that, in a sentence", async () => {
  const server = createServer((_request, response) => response.end());
  const port = await listen(server);
  const allowed = allowedHosts(["127.0.0.1"], "LADING_WEBHOOK_HOSTS");
  const connections = guardedConnections({ allowed, perHost: 1 });
  onTestFinished(() => {
    connections.close();
    server.close();
  });
  const { signal } = new AbortController();
  const message = { url: `https://127.0.0.1:${port}/`, headers: {}, body: "{}" };
  const { error } = await post(message, { connections, allowed, limits: webhookLimits, signal });
  expect(error).toMatch(
    /^its host does not speak TLS at this port, or no version of it that is accepted \((EPROTO|ERR_SSL_\w+)\)$/,
  );
});
