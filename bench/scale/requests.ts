import type { RequestCost, ScaleFigures } from "../../scripts/scale/figures.ts";
import { productOperations } from "../../test/support/concurrency/two-writers.ts";
import type { Host } from "../service/host.ts";
import { runFile } from "../service/tasks.ts";
import { file, numbers } from "../workloads/workload.ts";

/** Products that requests read and write, one after the other. */
const products = 1_000;
/** Requests that are under way at the same time, each on a connection of its own. */
const clients = 8;

/** A query of a product by its SKU, and a mutation of its stock. */
const bodies = {
  read: `query ($sku: String!) { it: productVariant(sku: $sku) {
    ... on ProductVariant { sku name price stock } ... on BasicError { errorName message } } }`,
  mutation: `mutation ($sku: String!) {
    it: modifyProductVariantStock(sku: $sku, stockLocationIdentifier: "default", operation: increase, quantity: 1) {
      ... on ProductStockLocation { stock } ... on BasicError { errorName message } } }`,
} as const;

/** CPU time in milliseconds, and bytes, that were used up so far. */
interface Usage {
  service: number;
  database: number;
  wal: number;
}

/** Sends each kind of request for so many seconds by several clients, which wait for nothing but the answer. */
export async function measureRequests(
  host: Host,
  usage: () => Promise<Usage>,
  seconds: number,
): Promise<ScaleFigures["requests"]> {
  await runFile(host.service, file(productOperations(products)));
  const measure = async (query: string): Promise<RequestCost> => {
    await send(host, query, 1); // compiles what a request runs
    const before = await usage();
    const began = performance.now();
    const count = await send(host, query, seconds);
    const took = (performance.now() - began) / 1_000;
    const after = await usage();
    const each = (what: keyof Usage) => Math.round((after[what] - before[what]) / count);
    return {
      rate: Math.round(count / took),
      serviceCpuUs: Math.round((1_000 * (after.service - before.service)) / count),
      databaseCpuUs: Math.round((1_000 * (after.database - before.database)) / count),
      walBytes: each("wal"),
    };
  };
  const requests = { read: await measure(bodies.read), mutation: await measure(bodies.mutation) };
  console.error(requests);
  return requests;
}

/** Sends requests for so many seconds; returns how many were answered. */
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
