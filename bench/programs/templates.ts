import type { TenantClient } from "../../test/support/client.ts";
import { type Engine, type Measured, readOptions } from "../program.ts";
import { withService } from "../service/measured.ts";
import { runFile } from "../service/tasks.ts";
import { file, preparation, productUpsert } from "../workloads/workload.ts";

export const values = readOptions({
  operations: { default: "100000", meaning: "operations of a file" },
  rounds: { default: "3", meaning: "files per form" },
});
const operations = Number(values.operations);

type Form = "without" | "with";

interface Ids {
  folder: string;
  vatType: string;
}

/** Prepares the tenant, and reads the values the operations without templates need. */
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

/** A file of product upserts, each with one reference, or its value written out. */
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

/** One engine: a run that creates, then updates in both forms in turn. The best of each counts: the rest is noise. */
export async function measure(engine: Engine): Promise<Measured[]> {
  return withService(engine, async (service) => {
    const ids = await prepare(service);
    await runFile(service, upserts("without", 0, ids));
    const seconds = await bestOf(service, ids);
    const figures = {
      "Without, operations/s": operations / seconds.without,
      "With a reference, operations/s": operations / seconds.with,
      "More by, %": 100 * (seconds.with / seconds.without - 1),
    };
    return [{ run: `${operations} upserts`, figures }];
  });
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
