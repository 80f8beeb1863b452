import { numberText } from "../../ui/format.ts";

const units = ["KiB", "MiB", "GiB"] as const;
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** `812 bytes`, `1.4 KiB`, `60 MiB`, `1 GiB` */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${numberText(bytes)} bytes`;
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${tenths.format(bytes / 1024 ** power)} ${units[power - 1]}`;
}
