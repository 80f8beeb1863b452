import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { openMetrics } from "../../packages/service/src/telemetry/metrics.ts";
import { openTestPglite } from "../support/engines.ts";

const parse = `
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    print(family.name, family.type, len(family.samples))
`;
/** Debian's package is for Debian's Python, which need not be the first of the PATH. */
const python = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import prometheus_client.openmetrics.parser"]).status === 0,
);

describe.skipIf(python === undefined)("OpenMetrics (needs the Python package prometheus_client)", () => {
  test("passes the reference parser, each metric with its type", async () => {
    const database = await openTestPglite();
    const metrics = openMetrics({ ...database, connections: () => ({ open: 1, idle: 1, waiting: 0 }) });
    metrics.operations.inc({ intent: 'a "quoted"\\\nintent', status: "success" });
    metrics.retries.inc({ reason: "conflict" });
    metrics.batchOperations.observe(70);
    metrics.batchSeconds.observe(0.0000012);
    metrics.imageSeconds.observe({ outcome: "stored" }, 1);
    metrics.observeRequest({ method: "GET", route: "/@:tenant", status: "200" }, 0.02);
    const input = await metrics.text("openMetrics");
    await database.close();
    const { stdout, stderr } = spawnSync(python ?? "", ["-c", parse], { input, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toContain("lading_operations counter 1\n");
    expect(stdout).toContain("lading_http_request_duration_seconds histogram 15\n");
    expect(stdout).toContain("lading_tasks gauge 5\n");
  });
});
