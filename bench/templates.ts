import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TenantClient } from "../test/support/client.ts";
import { startPostgres } from "../test/support/postgres/postgres.ts";
import { readOptions } from "./program/options.ts";
import { engineOption, enginesOf, jsonOption } from "./program/rows.ts";
import { startMeasured } from "./service/measured.ts";
import { runFile } from "./service/tasks.ts";
import { file, preparation, productUpsert } from "./workloads/workload.ts";

const values = readOptions(
  "bench:templates",
  "Measures what a template costs: the same operations with one reference each, and with its value written out.",
  {
    operations: { default: "100000", meaning: "operations of a file" },
    rounds: { default: "3", meaning: "files of each form" },
    engine: engineOption,
    json: jsonOption,
  },
);
const operations = Number(values.operations);

type Form = "without" | "with";

/** The values that the operations' references stand for. */
interface Ids {
  folder: string;
  vatType: string;
}

/** Prepares the tenant, and reads what the operations without templates have to say. */
async function prepare(service: TenantClient): Promise<Ids> {
  await runFile(service, file(preparation));
  const { tenant, folder } = await service.graphql<{
    tenant: { vatTypes: { id: string }[] };
    folder: { id: string };
  }>(
    `{ tenant { vatTypes { id } }
       folder(resourceIdentifier: "bench-products", language: "en") {
         ... on Folder { id } ... on BasicError { error } } }`,
  );
  return { folder: folder.id, vatType: tenant.vatTypes[0]?.id ?? "" };
}

/** A file of product upserts, each of which has one reference, or its value written out. */
function upserts(form: Form, round: number, { folder, vatType }: Ids): Blob {
  const tree = { parentId: form === "with" ? "{{ folder.id }}" : folder };
  const products = Array.from({ length: operations }, (_, number) => ({
    intent: "product/upsert",
    ...productUpsert(number, round),
    vatTypeId: vatType,
    tree,
  }));
  return file([...preparation, ...products]);
}

interface Row {
  engine: string;
  operations: number;
  "without, ops/s": number;
  "with, ops/s": number;
  "costs more by": string;
}

/** One engine: a run that creates, then updates in both forms in turn. The best of each counts: the rest is noise. */
async function measure(engine: string): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"));
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  const service = await startMeasured(folder, server?.url, engine);
  try {
    const ids = await prepare(service);
    await runFile(service, upserts("without", 0, ids));
    const seconds = await bestOf(service, ids);
    const rate = (form: Form) => Math.round(operations / seconds[form]);
    return {
      engine,
      operations,
      "without, ops/s": rate("without"),
      "with, ops/s": rate("with"),
      "costs more by": `${((seconds.with / seconds.without - 1) * 100).toFixed(1)} %`,
    };
  } finally {
    await service.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function bestOf(service: TenantClient, ids: Ids): Promise<Record<Form, number>> {
  const best = { without: Number.POSITIVE_INFINITY, with: Number.POSITIVE_INFINITY };
  let round = 0;
  for (let turn = 0; turn < Number(values.rounds); turn++)
    for (const form of ["without", "with"] as const) {
      const { seconds } = await runFile(service, upserts(form, ++round, ids));
      best[form] = Math.min(best[form], seconds);
    }
  return best;
}

const rows: Row[] = [];
for (const engine of enginesOf(values.engine)) rows.push(await measure(engine));
if (values.json) console.log(JSON.stringify(rows, null, 2));
else console.table(rows);
