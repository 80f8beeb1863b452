import { globSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { openMetrics } from "../../packages/service/src/telemetry/metrics.ts";
import { sharedDatabase } from "../support/engines.ts";
import { codes, page, rows, section } from "./pages.ts";

const file = "docs/operations.md";
/** The suffixes that a histogram and a summary add to their names. */
const parts = /_(?:bucket|count|sum)$/;

describe(`the metrics of ${file}`, () => {
  let registered: string[];
  let text: string;
  beforeAll(async () => {
    const database = await sharedDatabase();
    const metrics = openMetrics({ ...database, connections: () => ({ open: 1, idle: 1, waiting: 0 }) });
    metrics.operations.inc({ intent: "item/delete", status: "success" });
    metrics.retries.inc({ reason: "conflict" });
    metrics.imageSeconds.observe({ outcome: "stored" }, 1);
    metrics.webhookSeconds.observe({ outcome: "delivered" }, 1);
    metrics.observeRequest({ method: "GET", route: "/", status: "200" }, 1);
    text = await metrics.text("prometheus");
    registered = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name as string);
    await database.close();
  });

  test("docs/operations.md lists exactly the registry's metrics with their labels", () => {
    const documented = rows(section(page(file), "Metrics"));
    expect(documented.map(([name]) => name?.replaceAll("`", "")).sort()).toEqual(registered.sort());
    for (const [name, what] of documented) {
      const sample = text.split("\n").find((line) => line.startsWith(`${name?.replaceAll("`", "")}{`));
      const labels = [...(sample ?? "").matchAll(/(\w+)="/g)].map(([, label]) => label);
      for (const label of labels.filter((each) => each !== "le")) expect(what).toContain(`\`${label}\``);
    }
  });

  test.each(globSync("docs/*.md"))("every metric in %s is in the registry", (path) => {
    const named = codes(page(path)).flatMap((code) => code.match(/\b(?:lading|process)_[a-z_]+\b/g) ?? []);
    for (const name of named) expect(registered).toContain(name.replace(parts, ""));
  });
});
