import { tokenHeaders } from "../../test/support/service.ts";
import { type Engine, type Measured, readOptions } from "../program.ts";
import { type MeasuredService, withService } from "../service/measured.ts";
import { runFile } from "../service/tasks.ts";
import { file, numbers, preparation, productUpsert } from "../workloads/workload.ts";

export const values = readOptions({
  products: { default: "100000", meaning: "products of the tenant, each with one variant" },
});

const exports = ["kind=variants", "kind=products", "kind=prices", "kind=variants&where=sku%20%3D%20none*"];

export async function measure(engine: Engine): Promise<Measured[]> {
  const products = Number(values.products);
  return withService(engine, async (service) => {
    const operations = numbers(0, products).map((number) => ({
      ...{ intent: "product/upsert", vatTypeId: "{{ defaults.vatTypeIds.[0] }}" },
      ...productUpsert(number, 0),
      tree: { parentId: "{{ folder.id }}" },
    }));
    await runFile(service, file([...preparation, ...operations]));
    const measured: Measured[] = [];
    for (const query of exports) {
      const begun = performance.now();
      const bytes = await read(service, query);
      const seconds = (performance.now() - begun) / 1000;
      const figures = { "Products/s": products / seconds, MiB: bytes / 1024 ** 2 };
      measured.push({ run: decodeURIComponent(query), figures });
    }
    const peak = (await service.peakBytes()) / 1024 ** 2;
    return [...measured, { run: "all", figures: { "Peak MiB": peak } }];
  });
}

async function read(service: MeasuredService, query: string): Promise<number> {
  const response = await fetch(`${service.address}/export?${query}`, { headers: tokenHeaders(service) });
  if (!response.ok) throw new Error(await response.text());
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
}
