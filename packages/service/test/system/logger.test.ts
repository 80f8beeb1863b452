import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { openLogger } from "../../src/system/logger.ts";
import { type Api, openApi } from "../http/support.ts";

function openLog() {
  const lines: string[] = [];
  const stream = new PassThrough();
  stream.on("data", (line: Buffer) => lines.push(line.toString()));
  return { lines, logger: openLogger("info", stream) };
}

test("a text in the log controls no terminal, whatever the field, and keeps each character", () => {
  const { lines, logger } = openLog();
  const tokenName = "ci\u001b[31m\u009b2J\u007f\u0085\u2028\u2029\u202e\u2066\u200f\u061c ä漢😀";
  logger.child({ [tokenName]: tokenName }).info({ tokenName, err: new Error(tokenName) }, tokenName);
  const line = lines.join("");
  expect(line).not.toMatch(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  expect(line).toContain("ä漢😀");
  expect(JSON.parse(line)).toMatchObject({ [tokenName]: tokenName, tokenName, msg: tokenName });
});

describe("an error in the log", () => {
  const refused = Object.assign(new Error('new row violates check constraint "orders_total"'), {
    code: "23514",
    constraint: "orders_total",
    detail: "Failing row contains (1, ann@example.com)",
    where: 'unnamed portal parameter $1 = "ann@example.com"',
  });

  test("has its message, code and stack, and no row of a tenant", () => {
    const { lines, logger } = openLog();
    logger.error({ err: refused }, "a defect");
    const { err } = JSON.parse(lines.join(""));
    expect(err).toMatchObject({
      type: "Error",
      message: refused.message,
      code: "23514",
      constraint: "orders_total",
      stack: expect.stringContaining("logger.test.ts"),
    });
    expect(lines.join("")).not.toContain("ann@example.com");
  });

  test("is one bounded line however long its message and its cause, with the positions in the code", () => {
    const { lines, logger } = openLog();
    const cause = new Error(`cause \n\u001b[31m${"x".repeat(2 ** 24)}`);
    logger.error({ err: new Error("y".repeat(2 ** 24), { cause }) }, "a defect");
    logger.error({ err: "z".repeat(2 ** 24) }, "no error");
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line.length).toBeLessThan(12_000);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(line).not.toContain("\u001b");
    }
    expect(JSON.parse(lines[0] ?? "").err.stack).toContain("logger.test.ts");
  });

  test("is the same in the log of a request", async () => {
    const { lines, logger } = openLog();
    const failing = { text: () => Promise.reject(refused), observeRequest: () => {} };
    const api: Api = await openApi({ logger, metrics: failing });
    const { statusCode } = await api.server.inject("/metrics");
    await api.close();
    expect(statusCode).toBe(500);
    expect(lines.join("")).toContain("orders_total");
    expect(lines.join("")).not.toContain("ann@example.com");
  });
});
