import { beforeEach, expect, test } from "vitest";
import { cleanEnvironment, lading } from "../support/lading.ts";
import { data, type Script, scriptedService } from "../support/scripted-service.ts";

beforeEach(async () => {
  await cleanEnvironment();
});

const times = { createdAt: "2026-11-23T10:00:00.000Z", rotatedAt: null, previousUntil: null };
const webhook = { url: "https://shop.example/h", ...times };

async function command(script: Script, verb: string, ...args: string[]) {
  const service = await scriptedService(script);
  const words = ["tenant", "webhook", verb, "acme", ...args, "--url", service.url];
  return { ...(await lading([...words, "--token-id", "i", "--token-secret", "s"])), service };
}

test.each([
  [["set"], "give either the URL or --only-named"],
  [["set", "https://a.example", "--only-named"], "give either the URL or --only-named"],
  [["rotate", "--previous-hours", "soon"], '"soon" is not a number of hours'],
  [["deliveries", "--limit", "1001"], "not a whole number from 1 to 1000"],
  [["deliveries", "--status", "lost"], "Allowed choices are pending, delivered, failed, dropped"],
])("arguments the service would reject are not sent: %j", async ([verb = "", ...args], hint) => {
  const { code, stderr, service } = await command({}, verb, ...args);
  expect([code, service.received]).toEqual([1, []]);
  expect(stderr).toContain(hint);
});

test("a refusal shows the message and name of the service's error", async () => {
  const missing = { error: "The tenant has no webhook", errorName: "WebhookNotFoundError", errors: [] };
  for (const [verb, name] of Object.entries({ show: "ReadWebhook", rotate: "RotateSecret" }))
    expect(await command({ [name]: () => data({ webhook: missing }) }, verb)).toMatchObject({
      ...{ code: 1, stderr: "error: The tenant has no webhook (WebhookNotFoundError)\n" },
    });
});

test("set prints a new secret, and nothing for one that was kept", async () => {
  const answer = (secret: string | null) => ({ SetWebhook: () => data({ webhook: { webhook, secret } }) });
  const made = await command(answer("whsec_x"), "set", webhook.url);
  expect(made.stdout).toMatch(/^url +https:\/\/shop\.example\/h\ncreatedAt .*\nsecret +whsec_x\n$/);
  expect(made.stderr).toContain("The secret is not shown again.");
  expect(made.service.received[0]?.variables).toEqual({ url: webhook.url });
  const kept = await command(answer(null), "set", "--only-named", "--json");
  expect(JSON.parse(kept.stdout)).toEqual({ webhook, secret: null });
  expect(kept.service.received[0]?.variables).toEqual({ url: null });
});

test("rotate sends the hours if given", async () => {
  const script = { RotateSecret: () => data({ webhook: { webhook, secret: "whsec_y" } }) };
  const inputs = [];
  for (const args of [[], ["--previous-hours", "0"]])
    inputs.push((await command(script, "rotate", ...args)).service.received[0]?.variables.input);
  expect(inputs).toEqual([{}, { previousHours: 0 }]);
});

test("deliveries shows the last try of each event, untrusted text on one line", async () => {
  const delivery = { id: "evt_t1", url: webhook.url, createdAt: times.createdAt, nextTryAt: null };
  const tries = [{ at: times.createdAt, durationMs: 3, statusCode: 204, error: null }];
  const failed = { ...tries[0], statusCode: null, error: "a\nb" };
  const nodes = [
    { ...delivery, taskId: "t1", status: "delivered", tries },
    { ...delivery, taskId: "t2", status: "failed", tries: [...tries, failed] },
    { ...delivery, taskId: "t3", status: "pending", tries: [] },
  ];
  const script = {
    ReadDeliveries: () => data({ webhookDeliveries: { edges: nodes.map((node) => ({ node })) } }),
  };
  const { stdout, service } = await command(script, "deliveries", "--task", "t1", "--status", "failed");
  expect(
    stdout
      .split("\n")
      .slice(1, 4)
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ["t1", "delivered", times.createdAt, "1", "HTTP 204"],
    ["t2", "failed", times.createdAt, "2", "a b"],
    ["t3", "pending", times.createdAt, "0"],
  ]);
  expect(service.received[0]?.variables).toEqual({ filter: { taskId: "t1", status: "failed" }, first: 20 });
});
