import { existsSync } from "node:fs";
import { MoveRefused } from "../../storage/move/refused.ts";
import { openDataFolder } from "../../system/folders.ts";
import { existingSecret, keepSecret } from "../../system/secret-file.ts";
import { withFolder } from "../start-errors.ts";
import type { MoveOptions } from "./cargo.ts";
import { isSameFolder } from "./ends.ts";

/** The secrets that a data folder keeps, by the names of their files. */
const secretNames = ["operator-token", "signing-key"] as const;

/**
 * Copies the secrets of the source's data folder into that of the target, where both have one. Returns their names.
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

/** Copies the secrets of a data folder into another. One that the source does not have is left out. */
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
