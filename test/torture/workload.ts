import { preparation, productUpsert } from "../../bench/workloads/workload.ts";
import type { Random } from "../support/random.ts";

/** Makes one operation; some refer to entities that do not exist, or to operations that failed. */
type Maker = (random: Random, index: number) => object;

const products = 40;
const sku = (random: Random) => `sku-${random.below(products)}`;

/** Effects that are not idempotent (stock, created or updated) reveal an operation that was lost or repeated. */
const makers: readonly Maker[] = [
  (random) => ({ intent: "product/upsert", ...productUpsert(random.below(products), random.below(5)) }),
  (random) => ({
    intent: "product/variant/stock/modify",
    sku: sku(random),
    stockLocationIdentifier: "default",
    operation: random.pick(["increase", "increase", "decrease"]),
    quantity: 1 + random.below(9),
  }),
  (random, index) => ({
    intent: "customer/upsert",
    _ref: `customer${index}`,
    identifier: `customer-${random.below(200)}`,
    firstName: `Name ${random.below(20)}`,
  }),
  (random, index) => ({
    intent: "customer/upsert",
    identifier: `friend-of-{{ customer${random.below(index + 1)}.identifier }}`,
    firstName: `Friend ${random.below(20)}`,
  }),
  (random) => ({
    intent: "customer/group/create",
    identifier: `group-${random.below(300)}`,
    name: `Group ${random.below(20)}`,
  }),
  (random) => ({ intent: "customer/update", identifier: `nobody-${random.below(9)}`, firstName: "x" }),
  (random) => ({
    intent: "product/variant/price/modify",
    sku: sku(random),
    priceVariantIdentifier: "default",
    price: random.below(1000) / 4,
  }),
];

/** One in this number of operations uploads an image. */
const imageEvery = 25;
/** Images that operations register, and as many that only failing operations ask for. */
const images = 20;

/** Uploads an image and registers it, or fails: then the image must not stay, unless others have registered it. */
function imageOperation(random: Random, host: string): object {
  const upload = (number: number) => `{{ upload "${host}/${number}.png" }}`;
  if (random.chance(0.5)) return { intent: "image/register", key: upload(random.below(images)) };
  const asked = random.below(2 * images);
  return { intent: "customer/update", identifier: `nobody-${random.below(9)}`, firstName: upload(asked) };
}

/** A file of random operations: upserts, references, failures, and images from `host` (a URL). */
export function randomFile(
  random: Random,
  count: number,
  host: string,
): { version: string; operations: object[] } {
  const operations = Array.from({ length: count }, (_, index) =>
    index % imageEvery === imageEvery - 1 ? imageOperation(random, host) : random.pick(makers)(random, index),
  );
  return { version: "1.0.0", operations: [...preparation, ...operations] };
}
