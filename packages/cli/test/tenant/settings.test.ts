import { beforeEach, expect, test } from "vitest";
import { cleanEnvironment, lading } from "../support/lading.ts";
import { data, type Script, scriptedService } from "../support/scripted-service.ts";

beforeEach(async () => {
  await cleanEnvironment();
});

async function settings(script: Script, ...args: string[]) {
  const service = await scriptedService(script);
  const token = ["--token-id", "i", "--token-secret", "s"];
  const [verb = "", ...rest] = args;
  const words = ["tenant", "settings", verb, "acme", ...rest, "--url", service.url, ...token];
  return { ...(await lading(words)), service };
}

test.each([
  [["add", "colour", "red"], "Allowed choices are language, vat-type"],
  [["add", "market"], 'name the market by its identifier, after "market"'],
  [["add", "vat-type", "--percent", "5"], "give the VAT type a --name"],
  [["add", "vat-type", "--name", "Reduced"], "a VAT type needs --percent"],
  [["add", "price-variant", "b2b"], "a price variant needs --currency"],
  [["add", "language", "en", "--percent", "5"], "--percent does not apply to a language"],
  [["add", "vat-type", "--name", "a", "--percent", "5%"], '"5%" is not a number'],
  [["remove", "market"], "missing required argument 'key'"],
])("arguments the service would reject are not sent: %j", async (args, hint) => {
  const { code, stderr, service } = await settings({}, ...args);
  expect([code, service.received]).toEqual([1, []]);
  expect(stderr).toContain(hint);
});

test("a refusal shows the message and name of the service's error, and each problem", async () => {
  const used = { error: 'The market "eu" is in use', errorName: "SettingInUseError", errors: [] };
  const one = await settings({ RemoveSetting: () => data({ setting: used }) }, "remove", "market", "eu");
  expect(one).toMatchObject({ code: 1, stderr: 'error: The market "eu" is in use (SettingInUseError)\n' });
  const errors = [
    { message: "too long", path: ["input", "name"] },
    { message: "no currency", path: ["input", "currency"] },
  ];
  const invalid = { error: "Two things are wrong", errorName: "ValidationError", errors };
  const refuse = { AddSetting: () => data({ setting: invalid }) };
  const two = await settings(refuse, "add", "price-variant", "b2b", "--currency", "?", "--json");
  expect(JSON.parse(two.stdout)).toEqual({
    error: "2 problems (ValidationError)\n  input.name: too long\n  input.currency: no currency",
    errorName: "ValidationError",
    exitCode: 1,
  });
});

test.each([
  [["language", "no-nb", "--default"], { code: "no-nb", name: "no-nb", isDefault: true }],
  [["vat-type", "--name", "High", "--percent", "25.5"], { name: "High", percent: 25.5 }],
  [["price-variant", "b2b", "--currency", "USD"], { identifier: "b2b", name: "b2b", currency: "USD" }],
  [
    ["stock-location", "pre", "--minimum", "-100"],
    { identifier: "pre", name: "pre", settings: { minimum: -100 } },
  ],
  [["market", "eu", "--name", "Europe"], { identifier: "eu", name: "Europe" }],
])("add sends %j", async (args, input) => {
  const script = { AddSetting: () => data({ setting: { code: "x", id: "x", identifier: "x" } }) };
  const { code, stdout, service } = await settings(script, "add", ...args);
  expect([code, service.received[0]?.variables]).toEqual([0, { input }]);
  expect(stdout).toMatch(/^Tenant acme has the .* "x"\.\n$/);
});

test("show prints each kind with its default, or only the named kind", async () => {
  const tenant = {
    languages: [
      { code: "en", name: "English", isDefault: true },
      { code: "no-nb", name: "Norwegian", isDefault: false },
    ],
    vatTypes: [],
    priceVariants: [{ identifier: "default", name: "Default", currency: "EUR", isDefault: true }],
    stockLocations: [
      { identifier: "pre", name: "Pre", settings: { minimum: -100, unlimited: false }, isDefault: true },
    ],
    markets: [],
  };
  const script = { ReadSettings: () => data({ tenant }) };
  const { stdout } = await settings(script, "show");
  expect(stdout).toContain("Languages\ncode   name\nen     English    default\nno-nb  Norwegian\n");
  expect(stdout).toContain("VAT types\nnone\n");
  expect(stdout).toMatch(/pre +Pre +minimum -100 +default\n/);
  expect((await settings(script, "show", "market")).stdout).toBe("Markets\nnone\n");
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
