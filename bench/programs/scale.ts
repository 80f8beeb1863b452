import { productOperations } from "../../test/support/concurrency/two-writers.ts";
import { type Engine, type Measured, readOptions } from "../program.ts";
import { type Host, openHost } from "../service/host.ts";
import { runFile } from "../service/tasks.ts";
import { cpuOf, warmUp } from "../throughput/measure.ts";
import { file, numbers, references, type Workload } from "../workloads/workload.ts";
import { workloads } from "../workloads/workloads.ts";

export const values = readOptions({
  engine: { default: ["postgresql"], meaning: "the database" },
  operations: { default: "20000", meaning: "operations of each task" },
  seconds: { default: "5", meaning: "time for which each kind of request is sent" },
});

/** CPU time and bytes vary little on a busy machine; requests per second need an idle one. */
export async function measure(engine: Engine): Promise<Measured[]> {
  const size = Number(values.operations);
  const onEmpty = async (work: (host: Host) => Promise<Measured[]>) => {
    const host = await openHost(engine, warmUp);
    return work(host).finally(() => host.close());
  };
  return [
    ...(await onEmpty((host) => costsOf(host, workloads.upserts!(size)))),
    ...(await onEmpty((host) => costsOf(host, workloads.mixed!(size)))),
    ...(await onEmpty(measureRequests)),
  ];
}

/** Bytes so far: of write-ahead log, of the operation log with before-images, and of other tables, with indexes. */
const sizes = `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal, sum(bytes) FILTER (WHERE is_log) AS log,
    sum(bytes) FILTER (WHERE NOT is_log) AS data
  FROM (SELECT relname LIKE 'operation\\_%' AS is_log, pg_total_relation_size(oid) AS bytes
        FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS tables`;

/** Reads the resources used so far: CPU time in milliseconds, and bytes. */
async function usageOf(host: Host) {
  const { service, database } = await cpuOf(host);
  const [row] = await host.look((connection) =>
    connection.query<Record<"wal" | "log" | "data", string | number>>(sizes),
  );
  if (row === undefined || database === null)
    throw new Error("this system does not report the resources of a process");
  return { service, database, wal: Number(row.wal), log: Number(row.log), data: Number(row.data) };
}

async function costsOf(host: Host, workload: Workload): Promise<Measured[]> {
  await runFile(host.service, file([...workload.start, ...workload.preparation]));
  const costs: Measured[] = [];
  for (const { name, operation } of workload.runs.filter(({ name }) => name !== "unchanged")) {
    const range = numbers(0, workload.size);
    const blob = file([...workload.start, ...range.map((number) => operation(number, references))]);
    const before = await usageOf(host);
    const { operations } = await runFile(host.service, blob, range.filter(workload.fails).length);
    const used = usedBy(operations, before, await usageOf(host));
    costs.push({
      workload: "cost of an operation",
      run: name,
      figures: {
        ...{ "Service, µs": used("service", 1_000), "Database, µs": used("database", 1_000) },
        ...{
          "Write-ahead log, B": used("wal"),
          "Operation log, B": used("log"),
          "Other tables, B": used("data"),
        },
        "File, B": Math.round(blob.size / operations),
      },
    });
  }
  return costs;
}

type Usage = Awaited<ReturnType<typeof usageOf>>;

/** Returns the resources used per item of `count`. */
const usedBy =
  (count: number, before: Usage, after: Usage) =>
  (what: keyof Usage, factor = 1): number =>
    Math.round((factor * (after[what] - before[what])) / count);

/** Products that requests read and write in turn. */
const products = 1_000;
/** Concurrent requests, each on a connection of its own. */
const clients = 8;

/** A query of a product by its SKU, and a mutation of its stock. */
const bodies = {
  read: `query ($sku: String!) { it: productVariant(sku: $sku) {
    ... on ProductVariant { sku name price stock } ... on BasicError { errorName message } } }`,
  mutation: `mutation ($sku: String!) {
    it: modifyProductVariantStock(sku: $sku, stockLocationIdentifier: "default", operation: increase, quantity: 1) {
      ... on ProductStockLocation { stock } ... on BasicError { errorName message } } }`,
} as const;

/** Sends each kind of request from several clients without pauses. */
async function measureRequests(host: Host): Promise<Measured[]> {
  await runFile(host.service, file(productOperations(products)));
  const costs: Measured[] = [];
  for (const [run, query] of Object.entries(bodies)) {
    await send(host, query, 1); // compiles the code that a request runs
    const before = await usageOf(host);
    const began = performance.now();
    const count = await send(host, query, Number(values.seconds));
    const took = (performance.now() - began) / 1_000;
    const used = usedBy(count, before, await usageOf(host));
    const figures = {
      "A second, one process": Math.round(count / took),
      ...{ "Service, µs": used("service", 1_000), "Database, µs": used("database", 1_000) },
      "Write-ahead log, B": used("wal"),
    };
    costs.push({ workload: "cost of a request", run, figures });
  }
  return costs;
}

/** Sends requests for `seconds` seconds; returns the number answered. */
async function send({ service }: Host, query: string, seconds: number): Promise<number> {
  const { accessTokenId, accessTokenSecret } = service.access;
  const headers = {
    "content-type": "application/json",
    "x-service-access-token-id": accessTokenId,
    "x-service-access-token-secret": accessTokenSecret,
  };
  const until = performance.now() + 1_000 * seconds;
  let next = 0;
  const client = async () => {
    while (performance.now() < until) {
      const body = JSON.stringify({ query, variables: { sku: `s-${next++ % products}` } });
      const response = await fetch(service.address, { method: "POST", headers, body });
      const { data, errors }: Answer = JSON.parse(await response.text());
      const message = errors?.[0]?.message ?? data?.it.message;
      if (message !== undefined) throw new Error(message);
    }
  };
  await Promise.all(numbers(0, clients).map(client));
  return next;
}

interface Answer {
  data?: { it: { message?: string } };
  errors?: { message: string }[];
}
