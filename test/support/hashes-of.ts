import { stretchHashes } from "../../packages/service/src/uploads/stretches.ts";

export function hashesOf(file: string): string {
  const hashes = stretchHashes();
  hashes.add(Buffer.from(file));
  return hashes.base64();
}
