import type { MetricObjectWithValues, MetricValueWithName } from "@prometheus-io/client";

/** A family of metrics with its samples, as `Registry.getMetricsAsJSON` returns it. */
type Family = MetricObjectWithValues<MetricValueWithName<string>>;

/**
 * Writes metrics as OpenMetrics 1.0. The library would rename the counters of the Prometheus format, and writes bucket
 * bounds as whole numbers (docs/adr/0043-openmetrics-written-by-us.md).
 */
export function openMetricsText(families: readonly Family[]): string {
  return `${families.flatMap(linesOf).join("\n")}\n# EOF\n`;
}

function linesOf({ name, help, type, values }: Family): string[] {
  // A counter's family has no suffix, its samples have `_total`.
  const family = type === "counter" ? name.replace(/_total$/, "") : name;
  return [
    `# TYPE ${family} ${type}`,
    `# HELP ${family} ${escaped(help)}`,
    ...values.map(({ metricName = name, labels, value }) => `${metricName}${labelsText(labels)} ${value}`),
  ];
}

function labelsText(labels: MetricValueWithName<string>["labels"]): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${labelValue(label, value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** A bound must have a decimal point: `1.0`. */
function labelValue(label: string, value: string | number | undefined): string {
  const text = escaped(String(value));
  return label === "le" && /^\d+$/.test(text) ? `${text}.0` : text;
}

const escaped = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
