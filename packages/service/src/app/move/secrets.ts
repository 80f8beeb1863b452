import { existsSync } from "node:fs";
import { MoveRefused } from "../../storage/move/refused.ts";
import { openDataFolder } from "../../system/folders.ts";
import { existingSecret, keepSecret } from "../../system/secret-file.ts";
import { withFolder } from "../start-errors.ts";
import type { MoveOptions } from "./cargo.ts";
import { isSameFolder } from "./ends.ts";

/** The secrets of a data folder, by file name. */
const secretNames = ["operator-token", "signing-key"] as const;

/**
 * Copies the source's secrets to the target if both have a data folder. Returns their names.
 * @throws MoveRefused when the target has another secret
 */
export async function carrySecrets({ from, to }: Pick<MoveOptions, "from" | "to">): Promise<string[]> {
  const [source, target] = [from.dataDir, to.dataDir];
  if (source === undefined || target === undefined || !existsSync(source) || isSameFolder(from, to))
    return [];
  return withFolder(target, () => {
    openDataFolder(target);
    return copySecrets(source, target);
  });
}

/** Copies the secrets of a data folder to another, skipping those the source doesn't have. */
function copySecrets(from: string, to: string): string[] {
  const found = secretNames.flatMap((name) => {
    const secret = existingSecret(from, name);
    return secret ? [{ name, secret }] : [];
  });
  for (const { name, secret } of found) {
    const other = existingSecret(to, name);
    if (other !== undefined && other !== secret)
      throw new MoveRefused(
        `The data folder ${to} has another ${name}: move that file away, so that the one of the source can be copied. ` +
          "The signing key of the source opens the secrets of webhooks that are stored.",
      );
  }
  for (const { name, secret } of found) keepSecret(to, name, secret);
  return found.map(({ name }) => name);
}
