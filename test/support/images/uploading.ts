import { images } from "../../../packages/service/src/storage/collections/images.ts";
import type { Database } from "../../../packages/service/src/storage/database.ts";
import type { ObjectStore } from "../../../packages/service/src/uploads/object-store.ts";
import type { RunnerBench } from "../runner.ts";
import { imageFetcher } from "./fetcher.ts";

/** The first operations of each run: shapes whose items have images. */
export const shapes = [
  { intent: "shape/upsert", identifier: "folder", name: "Folder", type: "folder" },
  {
    ...{ intent: "shape/upsert", identifier: "product", name: "Product", type: "product" },
    components: [{ id: "gallery", name: "Gallery", type: "images" }],
  },
  {
    ...{ intent: "shape/upsert", identifier: "pictured", name: "Pictured", type: "product" },
    components: [{ id: "gallery", name: "Gallery", type: "images", config: { images: { required: true } } }],
  },
];

export const product = (name: string, fields: object = {}) => ({
  ...{ intent: "product/upsert", resourceIdentifier: name, name, language: "en", shapeIdentifier: "product" },
  tree: { parentId: "{{ defaults.rootItemId }}" },
  variants: [{ sku: name, name, isDefault: true }],
  ...fields,
});
export const gallery = (...keys: string[]) => [
  { componentId: "gallery", images: keys.map((key) => ({ key })) },
];
export const register = (key: string, fields: object = {}) => ({ intent: "image/register", key, ...fields });
export const upload = (url: string) => `{{ upload "${url}" }}`;

export interface UploadingOptions {
  concurrency?: number;
  store?: ObjectStore;
  database?: Database;
  tries?: number;
}

/** Runs the shapes and some operations as a tenant of their own; answers the operations' log and what is registered. */
export async function runUploading(
  bench: RunnerBench,
  operations: object[],
  { concurrency = 4, store = bench.store, database = bench.database, tries = 1 }: UploadingOptions = {},
) {
  const tenant = await bench.newTenant();
  const fetcher = imageFetcher(store, { concurrency, limits: { tries } });
  await bench.runner({ store, database, images: fetcher });
  const id = await bench.start([...shapes, ...operations], { tenant });
  const task = await bench.ended(id, tenant);
  fetcher.close();
  const log = (await bench.log(id, tenant)).slice(shapes.length);
  const registered = await bench.database.query<{ key: string; resourceIdentifier: string | null }>(
    `SELECT ${images.sql.columnList} FROM images t WHERE t.tenant_id = $1 ORDER BY t.key`,
    [tenant.id],
  );
  return { tenant, task, log, registered, keys: registered.map(({ key }) => key) };
}
