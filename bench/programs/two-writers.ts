import { join } from "node:path";
import type { Intent } from "@lading/schema";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { openEmbedded } from "../../packages/service/src/storage/engines/embedded.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { productOperations, stockSum } from "../../test/support/concurrency/two-writers.ts";
import { mutationCall } from "../../test/support/parity/call.ts";
import { type Engine, type Measured, readOptions } from "../program.ts";
import { type MeasuredService, withService } from "../service/measured.ts";
import { runFile } from "../service/tasks.ts";
import { file, numbers, type Operation } from "../workloads/workload.ts";

export const values = readOptions({
  operations: { default: "20000", meaning: "operations of the task" },
  products: { default: "200", meaning: "products written by both" },
  writers: { default: "4", meaning: "clients that send mutations" },
  seconds: { default: "5", meaning: "time for which mutations are measured alone" },
});
const products = Number(values.products);

/** Six of ten add to a product's stock, two change a product, two a customer: the same few for everybody. */
function operation(number: number): Operation {
  const product = (number * 7) % products;
  if (number % 10 < 6) return increase(product);
  if (number % 10 < 8)
    return {
      intent: "product/update",
      ...{ resourceIdentifier: `p-${product}`, language: "en", name: `P ${number}` },
    };
  return { intent: "customer/upsert", identifier: `c-${number % 50}`, firstName: `F ${number}` };
}

const increase = (product: number): Operation => ({
  intent: "product/variant/stock/modify",
  ...{ sku: `s-${product}`, stockLocationIdentifier: "default", operation: "increase", quantity: 1 },
});

const isIncrease = ({ intent }: Operation) => intent === "product/variant/stock/modify";

/** The requests that writers repeat, with the stock each adds. */
const mutations = numbers(0, 10 * products).map((number) => {
  const { intent, ...payload } = operation(number);
  const call = mutationCall(coreSchema(), intent as Intent, payload, () => "");
  return { adds: isIncrease(operation(number)) ? 1 : 0, body: JSON.stringify(call) };
});

interface Written {
  mutations: number;
  errors: string[];
  added: number;
  seconds: number;
}

/** Sends mutations from several writers, each one at a time, until stopped. */
async function write({ url, access }: MeasuredService, over: () => boolean): Promise<Written> {
  const headers = {
    "content-type": "application/json",
    "x-service-access-token-id": access.accessTokenId,
    "x-service-access-token-secret": access.accessTokenSecret,
  };
  const written: Written = { mutations: 0, errors: [], added: 0, seconds: 0 };
  const began = performance.now();
  const writer = async (first: number) => {
    for (let n = first; !over(); n++) {
      const { adds, body } = mutations[n % mutations.length]!;
      const response = await fetch(`${url}/@bench`, { method: "POST", headers, body });
      const { data, errors }: Answer = JSON.parse(await response.text());
      const error = errors?.[0]?.message ?? data?.it.errorName;
      written.mutations++;
      if (error === undefined) written.added += adds;
      else written.errors.push(error);
    }
  };
  await Promise.all(numbers(0, Number(values.writers)).map((n) => writer(n * 13)));
  return { ...written, seconds: (performance.now() - began) / 1000 };
}

interface Answer {
  data?: { it: { errorName?: string } };
  errors?: { message: string }[];
}

export async function measure(engine: Engine): Promise<Measured[]> {
  return withService(engine, async (service, { folder, url }) => {
    const operations = numbers(0, Number(values.operations)).map(operation);
    const large = file(operations);
    await runFile(service, file([...productOperations(products), ...operations.slice(0, 2_000)]));
    const added = operations.slice(0, 2_000).filter(isIncrease).length;

    const alone = await runFile(service, large);
    const until = performance.now() + Number(values.seconds) * 1000;
    const mutationsAlone = await write(service, () => performance.now() > until);
    const before = await conflicts(service);
    const { both, task } = await together(service, large);
    const retried = (await conflicts(service)) - before;

    const written = mutationsAlone.added + both.added + added + 2 * operations.filter(isIncrease).length;
    await service.stop();
    const errors = [...mutationsAlone.errors, ...both.errors];
    for (const error of new Set(errors)) console.error(`a mutation failed: ${error}`);
    const stock = await stockOf(folder, url, service.access.tenant.id);
    const figures = {
      "Task alone/s": alone.operations / alone.seconds,
      "Mutations alone/s": mutationsAlone.mutations / mutationsAlone.seconds,
      "Both: task/s": task.operations / task.seconds,
      "Both: mutations/s": both.mutations / both.seconds,
      ...{ "Batches retried": retried, Errors: errors.length, "Stock missing": written - stock },
    };
    return [{ run: `${values.writers} writers`, figures }];
  });
}

/** Runs the file, whose operations must all succeed, and writes until it has ended. */
async function together(service: MeasuredService, large: Blob) {
  let ended = false;
  const writing = write(service, () => ended);
  const task = await runFile(service, large).finally(() => {
    ended = true;
  });
  return { task, both: await writing };
}

/** The number of batches that met a conflict so far. */
async function conflicts({ url }: MeasuredService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^lading_batch_retries_total\{reason="conflict"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

async function stockOf(folder: string, url: string | undefined, id: string): Promise<number> {
  const database =
    url === undefined ? (await openEmbedded(join(folder, "database"))).database : openPostgres(url);
  return stockSum(database, { id }).finally(() => database.close());
}
