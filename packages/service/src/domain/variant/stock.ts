import { reject } from "../../errors.ts";
import type { ProductVariantRow } from "../../storage/collections/product-variants.ts";

type Stock = ProductVariantRow["stockLocations"];

export interface StockChange {
  sku: string;
  operation: "increase" | "decrease" | "overwrite";
  quantity: number;
  location: Location;
}

/** A stock location, and its minimum stock. Default: 0. */
interface Location {
  identifier: string;
  minimum?: number;
  unlimited?: boolean;
}

export const leastStock = ({ minimum = 0, unlimited }: Location): number =>
  unlimited ? Number.NEGATIVE_INFINITY : minimum;

/**
 * The stock at one location of a variant after a change; missing stock counts as 0. Rejects with
 * `InsufficientStockError` a change to below the location's minimum, and with `ValidationError` a sum that a number
 * cannot hold exactly, and an increase or decrease by 0.
 */
export function stockAfter(stock: Stock, { sku, operation, quantity, location }: StockChange): number {
  if (quantity === 0 && operation !== "overwrite")
    reject(
      "ValidationError",
      `quantity is 0; to ${operation} stock, use a whole number from 1 (only overwrite takes 0)`,
      ["quantity"],
    );
  const current = stock.find(({ identifier }) => identifier === location.identifier)?.stock ?? 0;
  const after =
    operation === "overwrite" ? quantity : add(current, operation === "increase" ? quantity : -quantity);
  const least = leastStock(location);
  if (after < least && after < current) {
    const bound = least === 0 ? "" : `, where ${least} is the minimum`;
    const change = operation === "overwrite" ? `set to ${quantity}` : `decreased by ${quantity}`;
    reject(
      "InsufficientStockError",
      `"${sku}" has ${current} in stock at "${location.identifier}"${bound}, so it cannot be ${change}`,
      ["quantity"],
    );
  }
  return after;
}

function add(a: number, b: number): number {
  const sum = addExactly(a, b);
  if (sum === undefined)
    reject("ValidationError", `${a} + ${b} needs more digits than a number holds`, ["quantity"]);
  return sum;
}

/** The decimal sum of two numbers: 0.1 + 0.2 is 0.3. Undefined if a number cannot hold it exactly. */
export function addExactly(a: number, b: number): number | undefined {
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
    const sum = a + b;
    return Number.isSafeInteger(sum) ? sum : undefined;
  }
  const [one, two] = [decimal(a), decimal(b)];
  const exponent = Math.min(one.exponent, two.exponent);
  const digits = scaled(one, exponent) + scaled(two, exponent);
  const sum = Number(`${digits}e${exponent}`);
  if (!Number.isFinite(sum)) return undefined;
  const result = decimal(sum);
  const common = Math.min(exponent, result.exponent);
  return scaled(result, common) === scaled({ digits, exponent }, common) ? sum : undefined;
}

/** A number's shortest decimal form, as digits × 10^exponent. */
function decimal(number: number): { digits: bigint; exponent: number } {
  const [mantissa = "0", exponent = "0"] = String(number).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

const scaled = ({ digits, exponent }: { digits: bigint; exponent: number }, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to);
