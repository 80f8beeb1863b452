import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { ImageFetchFailure } from "../../src/media/fetch/fetch-failure.ts";
import type { ImageFetcher } from "../../src/media/fetch/image-fetcher.ts";
import { measuredImages } from "../../src/telemetry/images.ts";
import { type Metrics, openMetrics } from "../../src/telemetry/metrics.ts";
import { type Api, openApi } from "../http/support.ts";

let api: Api;
let metrics: Metrics;
let measured: ReturnType<Api["another"]>;
let url: string;
beforeAll(async () => {
  api = await openApi({ open: engines[0]!.open });
  metrics = openMetrics(api.database);
  measured = api.another({ metrics });
  url = await measured.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await measured.close();
  await api.close();
});

const get = (accept?: string) =>
  measured.inject({ url: "/metrics", headers: accept === undefined ? {} : { accept } });
const samples = async (name: string) =>
  (await metrics.text("prometheus")).split("\n").filter((line) => line.startsWith(name));

describe("the format of /metrics", () => {
  test.each([
    [undefined, "text/plain"],
    ["*/*", "text/plain"],
    ["text/plain;q=0.9,application/openmetrics-text;q=0.1", "text/plain"],
    ["application/openmetrics-text;q=x", "text/plain"],
    ["application/openmetrics-text; version=1.0.0", "application/openmetrics-text"],
    [
      "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
      "application/openmetrics-text",
    ],
  ])("for a client that accepts %s is %s", async (accept, type) => {
    const { headers, body } = await get(accept);
    expect(headers["content-type"]).toMatch(new RegExp(`^${type}; version=.*; charset=utf-8$`));
    expect(headers.vary).toBe("Accept");
    expect(body.endsWith("# EOF\n")).toBe(type !== "text/plain");
  });

  test("as OpenMetrics names counters without their suffix, and has bounds with a decimal point", async () => {
    metrics.operations.inc({ intent: 'a"b\\c\nd', status: "success" });
    metrics.batchOperations.observe(70);
    const text = await metrics.text("openMetrics");
    expect(text).toContain("# TYPE lading_operations counter\n# HELP lading_operations Operations executed");
    expect(text).toContain('lading_operations_total{intent="a\\"b\\\\c\\nd",status="success"} 1\n');
    expect(text).toContain('lading_batch_operations_bucket{le="100.0"} 1\n');
    expect(text).toContain('lading_batch_operations_bucket{le="+Inf"} 1\n');
    expect(text).toContain("# TYPE lading_batch_operations histogram\n");
    expect(text).not.toMatch(/\n\n|_total counter|le="\d+"/);
    for (const line of text.trimEnd().split("\n").slice(0, -1))
      expect(line).toMatch(/^(# (TYPE|HELP) \w+ \S.*|\w+(\{\w+="[^\n]*"\})? -?[\d.e+-]+)$/);
  });
});

describe("the duration of requests", () => {
  const name = "lading_http_request_duration_seconds_count";

  test("has bounded labels: the route's pattern, and one value for all unknown paths", async () => {
    for (const path of ["/images/none/a.png", "/wp-admin", "/a/b?secret=1", "/@shop/x/y"])
      await fetch(`${url}${path}`);
    await fetch(`${url}/nothing`, { method: "DELETE" });
    await vi.waitFor(async () => {
      const lines = await samples(name);
      const text = lines.join("\n");
      expect(text).toContain(`${name}{method="GET",route="/images/*",status="404"} 1`);
      expect(text).toContain(`${name}{method="other",route="none",status="404"} 4`);
      expect(text).not.toMatch(/wp-admin|secret|none\/a\.png/);
    });
  });

  test("counts a client that goes away before its answer as aborted", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(
      "POST /@shop HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n",
    );
    const { accessTokenId: id, accessTokenSecret: secret } = api.shop;
    socket.write(`X-Service-Access-Token-Id: ${id}\r\nX-Service-Access-Token-Secret: ${secret}\r\n\r\n{`);
    await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(100));
    setTimeout(() => socket.destroy(), 200);
    await vi.waitFor(
      async () =>
        expect(await samples(name)).toContain(`${name}{method="POST",route="/@:tenant",status="aborted"} 1`),
      { timeout: 5_000 },
    );
  });
});

describe("the fetches of images", () => {
  const fetcherThat = (fetch: ImageFetcher["fetch"]) =>
    measuredImages({ concurrency: 1, close() {}, fetch }, metrics);
  const open = new AbortController().signal;

  test("are counted by their outcome, with the bytes of those that were stored", async () => {
    const image = { key: "k", mimeType: "image/png", width: 1, height: 1, size: 700, sha256: null };
    await fetcherThat(async () => image).fetch("https://a.example/i.png", "t", open);
    const failing = [
      [new ImageFetchFailure("https://a.example/i.png", "it is not there"), open],
      [new Error("the store is down"), open],
      [new Error("aborted"), AbortSignal.abort()],
    ] as const;
    for (const [error, signal] of failing) {
      const fetcher = fetcherThat(() => Promise.reject(error));
      await expect(fetcher.fetch("https://a.example/i.png", "t", signal)).rejects.toBe(error);
    }
    const counts = await samples("lading_image_fetch_duration_seconds_count");
    for (const outcome of ["stored", "refused", "trouble", "aborted"])
      expect(counts).toContain(`lading_image_fetch_duration_seconds_count{outcome="${outcome}"} 1`);
    expect(await samples("lading_image_fetched_bytes_total")).toEqual([
      "lading_image_fetched_bytes_total 700",
    ]);
  });
});

test("the metrics of a database with a pool show its connections and the work that waits", async () => {
  const { text } = openMetrics({ ...api.database, connections: () => ({ open: 5, idle: 2, waiting: 3 }) });
  const shown = await text("prometheus");
  expect(shown).toContain('lading_database_connections{state="busy"} 3');
  expect(shown).toContain('lading_database_connections{state="idle"} 2');
  expect(shown).toContain("lading_database_waiting 3");
});

test("the length of the queue and the version are shown", async () => {
  const text = await metrics.text("prometheus");
  expect(text).toContain('lading_queue_tasks{work="validation"} 0');
  expect(text).toContain('lading_queue_tasks{work="execution"} 0');
  expect(text).toMatch(/lading_build_info\{version="\d+\.\d+\.\d+",commit="\w+",node="\d+\.\d+\.\d+"\} 1/);
});
