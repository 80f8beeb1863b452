import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SealedSecret } from "../storage/webhooks/webhooks.ts";

const cipher = "aes-256-gcm";
const [nonceBytes, tagBytes] = [12, 16];

/** Encrypts the secrets of webhooks, which must be recovered to sign. */
export interface Sealing {
  /** The name of the key that `seal` uses. */
  readonly keyId: string;
  /** The names of all keys that `open` has. */
  readonly keyIds: readonly string[];
  /** Encrypts a tenant's secret: nonce, tag, ciphertext. */
  seal(tenantId: string, secret: string): SealedSecret;
  /** @throws Error when it was sealed under another key, for another tenant, or was altered */
  open(tenantId: string, sealed: SealedSecret): string;
}

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Derives keys from the service's signing keys, which sign something else. The first seals; the second, while the
 * signing key is rotated, only opens.
 */
export function openSealing(signingKey: string, secondSigningKey: string | undefined): Sealing {
  const first = keyOf(signingKey);
  const keys = secondSigningKey ? [first, keyOf(secondSigningKey)] : [first];
  return {
    keyId: first.id,
    keyIds: keys.map(({ id }) => id),
    seal: (tenantId, secret) => ({ keyId: first.id, sealed: encrypt(first, tenantId, secret) }),
    open: (tenantId, { keyId, sealed }) => {
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined)
        throw new Error(
          "a webhook's secret is encrypted under a signing key that this process does not have",
        );
      try {
        return decrypt(key, tenantId, sealed);
      } catch {
        throw new Error(
          "a webhook's secret cannot be decrypted: it was altered, or copied from another tenant",
        );
      }
    },
  };
}

function keyOf(signingKey: string): Key {
  const derive = (purpose: string, bytes: number) =>
    new Uint8Array(hkdfSync("sha256", signingKey, "", `lading webhook secrets ${purpose}`, bytes));
  return { id: Buffer.from(derive("name", 8)).toString("hex"), bytes: derive("key", 32) };
}

/** Authenticates the tenant, too: a secret copied to another tenant's row doesn't open. */
function encrypt({ bytes }: Key, tenantId: string, secret: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, bytes, nonce).setAAD(Buffer.from(tenantId));
  const text = Buffer.concat([encryption.update(secret, "utf8"), encryption.final()]);
  return Buffer.concat([nonce, encryption.getAuthTag(), text]);
}

function decrypt({ bytes }: Key, tenantId: string, sealed: Uint8Array): string {
  const nonce = sealed.subarray(0, nonceBytes);
  const decryption = createDecipheriv(cipher, bytes, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(tenantId))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = decryption.update(sealed.subarray(nonceBytes + tagBytes));
  return Buffer.concat([text, decryption.final()]).toString("utf8");
}
