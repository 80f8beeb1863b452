import { stretchHashes } from "../../packages/service/src/uploads/stretches.ts";

/** The hashes that validation stores of a file. */
export function hashesOf(file: string): string {
  const hashes = stretchHashes();
  hashes.add(Buffer.from(file));
  return hashes.base64();
}
