import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { dumpReaders } from "../../packages/service/src/commands/registry.ts";
import { beginDump, type DumpOptions } from "../../packages/service/src/domain/dump/dump.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { own } from "../support/parity/words.ts";
import type { RunnerBench } from "../support/runner.ts";
import { foundation } from "./generated-tenants.ts";

const image = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const imageKey = ({ id }: Tenant) => `${id}/media/${"0f".repeat(16)}/pixel.png`;

/** Creates a tenant with an image that uploads find by digest, so these tests fetch nothing. */
export async function newTenant(bench: RunnerBench): Promise<Tenant> {
  const tenant = await bench.newTenant();
  await bench.store.put(imageKey(tenant), Readable.from([image]), { maxBytes: 1e6 });
  await run(bench, tenant, [{ intent: "image/register", key: imageKey(tenant) }]);
  return tenant;
}

/** Operations that create the tenant, with its own image, and templates for what every tenant has. */
export function sourceFile(tenant: Tenant, operations: readonly object[]): object[] {
  const values = {
    [own.image]: imageKey(tenant),
    [own.root]: "{{ defaults.rootItemId }}",
    [own.vatType]: "{{ defaults.vatTypeIds.[0] }}",
  };
  let file = JSON.stringify([...foundation, ...operations]);
  for (const [name, value] of Object.entries(values)) file = file.replaceAll(name, value);
  return JSON.parse(file);
}

export const run = async (
  bench: RunnerBench,
  tenant: Tenant,
  file: string | readonly object[],
): Promise<string[]> => failuresIn(await logOf(bench, tenant, file));

export const failuresIn = (log: Awaited<ReturnType<typeof logOf>>): string[] =>
  log
    .filter((entry) => entry.status !== "success")
    .map(({ intent, message, input }) => `${intent}: ${message} ${JSON.stringify(input)}`);

export async function logOf(
  bench: RunnerBench,
  tenant: Tenant,
  file: string | readonly object[],
  kind: "run" | "plan" = "run",
) {
  const id = await bench.start(file, { tenant, kind });
  const { status, info } = await bench.ended(id, tenant);
  if (status !== "complete" || info !== null) throw new Error(`${status}: ${info?.stack}`);
  return bench.log(id, tenant);
}

export const dumpOf = async (...choice: Parameters<typeof wholeDumpOf>): Promise<string> =>
  withoutReport(await wholeDumpOf(...choice));

export const withoutReport = (dump: string): string => dump.replace(/\n\],"report":.*/, "\n]}");

export async function wholeDumpOf(
  { database }: RunnerBench,
  tenant: Tenant,
  options: DumpOptions = {},
): Promise<string> {
  const imageUrl = (key: string) => `https://shop.example/${key}`;
  const begun = await beginDump({ database, imageUrl, dumpReaders }, tenant.id, options);
  if (typeof begun === "string") throw new Error(begun);
  return text(Readable.from(begun));
}
