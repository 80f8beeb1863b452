import { writeFileSync, appendFileSync } from "node:fs";
import { openHost } from "./service/host.ts";
import { runFile } from "./service/tasks.ts";
import { warmUp } from "./throughput/measure.ts";
import { file, numbers, references, type Operation } from "./workloads/workload.ts";
import { workloads } from "./workloads/workloads.ts";

const [kind = "mixed", days = "365", perDay = "10000", out = "/work/scratch/year.txt"] = process.argv.slice(2);
const products = 10_000;
const workload = workloads.mixed!(products);
const host = await openHost("postgresql", warmUp);
const sizes = `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC`;
const made = workload.runs.find(({ name }) => name === "mixed")!;
const change = (number: number): Operation => number % 2 === 0
  ? { intent: "product/variant/stock/modify", sku: `sku-${(number * 7919) % products}`, stockLocationIdentifier: "default", operation: "overwrite", quantity: 100 + number }
  : { intent: "product/variant/price/modify", sku: `sku-${(number * 7919) % products}`, priceVariantIdentifier: "default", price: 100 + number };
try {
  await runFile(host.service, file([...workload.start, ...workload.preparation]));
  writeFileSync(out, "");
  const report = async (day: number) => {
    const rows = await host.look((connection) => connection.query<{ name: string; bytes: string }>(sizes));
    const log = rows.filter(({ name }) => name.startsWith("operation_")).reduce((sum, { bytes }) => sum + Number(bytes), 0);
    const all = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
    appendFileSync(out, `${kind} day ${day}: log ${log} all ${all} share ${(log / all).toFixed(4)} ${new Date().toISOString()} ${rows.slice(0, 9).map(({ name, bytes }) => `${name}=${(Number(bytes) / 1e6).toFixed(1)}`).join(" ")}\n`);
  };
  await report(0);
  for (let day = 1; day <= Number(days); day++) {
    const range = numbers((day - 1) * Number(perDay), Number(perDay));
    for (let part = 0; part < range.length; part += 1000) {
      const some = range.slice(part, part + 1000);
      const blob = kind === "mixed"
        ? file([...workload.start, ...some.map((number) => made.operation(number, references))])
        : file(some.map(change));
      await runFile(host.service, blob, kind === "mixed" ? some.filter(workload.fails).length : 0);
    }
    await host.look((connection) => connection.query("UPDATE bulk_tasks SET created_at = created_at - interval '1 day', ended_at = ended_at - interval '1 day'"));
    await host.service.graphql("mutation { pruneBulkTasks(olderThanDays: 30) { __typename } }", {});
    if (day % 15 === 0 || day === Number(days)) await report(day);
  }
} finally {
  await host.close();
}
