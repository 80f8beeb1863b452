import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface SealedSecret {
  readonly keyId: string;
  readonly sealed: Uint8Array;
}

const cipher = "aes-256-gcm";
const [nonceBytes, tagBytes] = [12, 16];

/** Encrypts secrets that must be recovered, such as those that sign webhooks. */
export interface Sealing {
  /** The name of the key that `seal` uses. */
  readonly keyId: string;
  /** The names of all keys that `open` has. */
  readonly keyIds: readonly string[];
  /** Encrypts the secret of an owner: nonce, tag, ciphertext. */
  seal(owner: string, secret: string): SealedSecret;
  /** @throws Error when it was sealed under another key, for another owner, or was altered */
  open(owner: string, sealed: SealedSecret): string;
}

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Derives keys from the service's signing keys, which sign something else. The first seals; the second, while the
 * signing key is rotated, only opens.
 *
 * @param what is sealed: each has its own keys
 */
export function openSealing(
  signingKey: string,
  secondSigningKey: string | undefined,
  what: "webhook" | "session" = "webhook",
): Sealing {
  const first = keyOf(signingKey, what);
  const keys = secondSigningKey ? [first, keyOf(secondSigningKey, what)] : [first];
  return {
    keyId: first.id,
    keyIds: keys.map(({ id }) => id),
    seal: (owner, secret) => ({ keyId: first.id, sealed: encrypt(first, owner, secret) }),
    open: (owner, { keyId, sealed }) => {
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined)
        throw new Error(
          `a ${what}'s secret is encrypted under a signing key that this process does not have`,
        );
      try {
        return decrypt(key, owner, sealed);
      } catch {
        throw new Error(
          `a ${what}'s secret cannot be decrypted: it was altered, or copied from another ${owners[what]}`,
        );
      }
    },
  };
}

const owners = { webhook: "tenant", session: "session" } as const;

function keyOf(signingKey: string, what: string): Key {
  const derive = (purpose: string, bytes: number) =>
    new Uint8Array(hkdfSync("sha256", signingKey, "", `lading ${what} secrets ${purpose}`, bytes));
  return { id: Buffer.from(derive("name", 8)).toString("hex"), bytes: derive("key", 32) };
}

/** Authenticates the owner, too: a secret copied to another one's row doesn't open. */
function encrypt({ bytes }: Key, owner: string, secret: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, bytes, nonce).setAAD(Buffer.from(owner));
  const text = Buffer.concat([encryption.update(secret, "utf8"), encryption.final()]);
  return Buffer.concat([nonce, encryption.getAuthTag(), text]);
}

function decrypt({ bytes }: Key, owner: string, sealed: Uint8Array): string {
  const nonce = sealed.subarray(0, nonceBytes);
  const decryption = createDecipheriv(cipher, bytes, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = decryption.update(sealed.subarray(nonceBytes + tagBytes));
  return Buffer.concat([text, decryption.final()]).toString("utf8");
}
