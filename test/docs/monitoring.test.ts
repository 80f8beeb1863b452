import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { openMetrics } from "../../packages/service/src/telemetry/metrics.ts";
import { sharedDatabase } from "../support/engines.ts";
import { page, section } from "./pages.ts";

const alerts = readFileSync("deploy/alerts.yaml", "utf8");
const dashboard = JSON.parse(readFileSync("deploy/grafana/lading.json", "utf8"));

/** The expressions of the rules; those of several lines are folded. */
const ruleExpressions = [...alerts.matchAll(/^ +expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
  ([, folded, line]) => (folded ?? line ?? "").replace(/\s+/g, " "),
);
const panels: { title: string; targets: { expr: string }[]; gridPos: object }[] = dashboard.panels;
const panelExpressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const namesIn = (expression: string) => expression.match(/\b(?:lading|process)_[a-z_]+\b/g) ?? [];

describe("the dashboard and the alert rules of deploy", () => {
  /** The names of all samples, with the labels that each may have. */
  let labels: Map<string, Set<string>>;
  beforeAll(async () => {
    const database = await sharedDatabase();
    const metrics = openMetrics({ ...database, connections: () => ({ open: 1, idle: 1, waiting: 0 }) });
    metrics.operations.inc({ intent: "item/delete", status: "success" });
    metrics.retries.inc({ reason: "conflict" });
    metrics.imageSeconds.observe({ outcome: "stored" }, 1);
    metrics.webhookSeconds.observe({ outcome: "delivered" }, 1);
    metrics.observeRequest({ method: "GET", route: "/", status: "200" }, 1);
    labels = new Map();
    for (const [, name = "", pairs = ""] of (await metrics.text("prometheus")).matchAll(
      /^(\w+)(?:\{(.*)\})? /gm,
    ))
      labels.set(name, new Set([...pairs.matchAll(/(\w+)="/g)].map(([, label]) => label ?? "")));
    await database.close();
  });

  test.each([...ruleExpressions, ...panelExpressions])("uses existing metrics: %s", (expression) => {
    const names = namesIn(expression);
    if (!expression.startsWith("up{")) expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !labels.has(name))).toEqual([]);
    // Prometheus itself adds these two.
    const ofAll = new Set(["job", "instance", ...names.flatMap((name) => [...(labels.get(name) ?? [])])]);
    const used = [...expression.matchAll(/(\w+)=~?"/g), ...expression.matchAll(/by \(([^)]*)\)/g)]
      .flatMap(([, label = ""]) => label.split(/, */))
      .filter((label) => !ofAll.has(label));
    expect(used).toEqual([]);
    expect(expression.match(/\(/g)?.length).toBe(expression.match(/\)/g)?.length);
  });

  test("has an expression, a severity and advice for each alert of the page", () => {
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(ruleExpressions).toHaveLength(names.length);
    for (const key of ["severity", "summary", "description"])
      expect(alerts.match(new RegExp(`^ +${key}: \\S`, "gm"))).toHaveLength(names.length);
    const documented = section(page("docs/operations.md"), "What to alert on");
    for (const name of names) expect(documented).toContain(`\`${name}\``);
  });

  test("shows every metric of the service", () => {
    const shown = new Set(
      panelExpressions.flatMap(namesIn).map((name) => name.replace(/_(bucket|count|sum)$/, "")),
    );
    const families = [...labels.keys()].map((name) => name.replace(/_(bucket|count|sum)$/, ""));
    expect([...new Set(families)].filter((name) => !shown.has(name))).toEqual([]);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  });
});
