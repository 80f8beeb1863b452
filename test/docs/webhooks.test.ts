/** @module-tag release */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { pauseAfter } from "../../packages/service/src/webhooks/limits.ts";
import type { TenantClient } from "../support/client.ts";
import { eventually } from "../support/runner.ts";
import { freePort } from "../support/servers/port.ts";
import { openReceiver, type Received } from "../support/servers/webhooks/receiver.ts";
import { openService, runFile, type TestService } from "../support/service.ts";
import { blocks, page, rows, section } from "./pages.ts";

const file = "docs/webhooks.md";
const content = page(file);
const operations = [{ intent: "customer/group/upsert", identifier: "g", name: "n" }];

describe(file, () => {
  let service: TestService;
  let client: TenantClient;
  let folder: string;
  beforeAll(async () => {
    service = await openService("pglite", { rateLimit: 0, webhookHosts: ["127.0.0.1"] });
    client = await service.tenant("acme");
    folder = await mkdtemp(join(tmpdir(), "lading-webhooks-"));
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  /** Sets the URL, and returns a new secret each time. */
  const secretFor = async (url: string): Promise<string> => {
    const result = "{ ... on ChangedWebhook { secret } ... on BasicError { message } }";
    const { setWebhook, rotateWebhookSecret } = await client.graphql<Record<string, { secret: string }>>(
      `mutation ($url: String!) { setWebhook(input: { url: $url }) ${result}
         rotateWebhookSecret(input: { previousHours: 0 }) ${result} }`,
      { url },
    );
    expect(setWebhook).not.toHaveProperty("message");
    return rotateWebhookSecret!.secret;
  };
  const run = () => runFile(client, { version: "1.0.0", operations });

  test("the receiver in Node accepts each event of Lading once, and refuses forged ones", async () => {
    const program = join(folder, "receiver.mjs");
    await writeFile(program, blocks(content, "js")[0] as string);
    const port = await freePort();
    const address = `http://127.0.0.1:${port}/`;
    const secret = await secretFor(address);
    const receiver = spawn(process.execPath, [program], {
      env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) },
    });
    onTestFinished(() => void receiver.kill("SIGKILL"));
    const printed = linesOf(receiver);
    // Any answer: it is up.
    await eventually(
      () =>
        fetch(address, { method: "POST" }).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 401,
    );
    const { id } = await run();
    await eventually(
      async () => printed(),
      (lines) => lines.length > 0,
    );
    expect(printed()).toEqual([`${id} complete: 0 failed`]);
    const told = await relayed();
    const forged = await fetch(address, { method: "POST", headers: told.headers as never, body: told.body });
    expect([forged.status, printed().length]).toEqual([401, 1]);
  });

  /** An event as it arrives somewhere else. */
  const relayed = async (): Promise<Received> => {
    const elsewhere = await openReceiver();
    onTestFinished(elsewhere.close);
    await secretFor(`${elsewhere.url}/`);
    const { id } = await run();
    const [told] = await elsewhere.about(id);
    return told!;
  };

  test("the shell verifies an event, and detects a changed body", async () => {
    const elsewhere = await openReceiver();
    onTestFinished(elsewhere.close);
    const secret = await secretFor(`${elsewhere.url}/`);
    const { id } = await run();
    const [told] = await elsewhere.about(id);
    const shell = blocks(section(content, "Verify it"), "sh")[0] as string;
    const verify = async (body: string) => {
      await writeFile(join(folder, "body.json"), body);
      const child = spawn("sh", ["-c", shell], {
        cwd: folder,
        env: {
          ...{ PATH: process.env.PATH, WEBHOOK_SECRET: secret, WEBHOOK_ID: told!.id },
          WEBHOOK_TIMESTAMP: String(told!.headers["webhook-timestamp"]),
          WEBHOOK_SIGNATURE: String(told!.headers["webhook-signature"]),
        },
      });
      return text(child.stdout);
    };
    expect(await verify(told!.body)).toBe("genuine\n");
    expect(await verify(told!.body.replace("complete", "error"))).toBe("forged\n");
  });

  test("the example has the fields of an event, in order", async () => {
    const told = await relayed();
    const example = JSON.parse(blocks(content, "json")[0] as string);
    const names = (value: object): unknown[] =>
      Object.entries(value).map(([name, inner]) => [name, ...(inner instanceof Object ? names(inner) : [])]);
    expect(names(example)).toEqual(names(told.event));
  });

  test("the queries of the page succeed", async () => {
    await secretFor("https://shop.example/");
    for (const query of blocks(content, "graphql")) {
      const key = await client.upload(new Blob(["{}"]));
      const answer = await client.graphql<Record<string, object>>(
        query,
        query.includes("$key") ? { key } : {},
      );
      for (const one of Object.values(answer)) expect(one).not.toHaveProperty("errorName");
    }
  });

  test("the page has the pauses between attempts", () => {
    const unit: Record<string, number> = { second: 1, minute: 60, hour: 3_600 };
    const seconds = rows(section(content, "Delivery"))
      .filter(([number = ""]) => /^\d$/.test(number))
      .map(([, pause = ""]) =>
        [...pause.matchAll(/(\d+) (second|minute|hour)/g)].reduce(
          (sum, [, count, of]) => sum + Number(count) * (unit[of ?? ""] ?? 0),
          0,
        ),
      );
    expect(seconds).toEqual([1, 2, 3, 4, 5, 6, 7].map((tried) => pauseAfter(tried, () => 0)! / 1_000));
  });
});

function linesOf(child: ChildProcess): () => string[] {
  let printed = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return () => printed.split("\n").filter(Boolean);
}
