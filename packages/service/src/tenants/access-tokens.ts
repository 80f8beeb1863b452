import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Queries } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";

export type Role = "admin" | "reader";

/**
 * Makes an access token of a tenant. The secret has 256 random bits, so a plain SHA-256 of it is what is stored:
 * there is nothing to guess that a slow hash would protect.
 */
export async function createAccessToken(
  queries: Queries,
  tenantId: string,
  token: { name: string; role: Role },
): Promise<{ id: string; secret: string }> {
  const id = newId();
  const secret = randomBytes(32).toString("hex");
  await queries.execute(
    "INSERT INTO access_tokens (tenant_id, id, name, role, secret_hash) VALUES ($1, $2, $3, $4, $5)",
    [tenantId, id, token.name, token.role, hash(secret)],
  );
  return { id, secret };
}

/** Who presents this token, or undefined when it is not one of the tenant's. Compares in constant time. */
export async function authenticate(
  queries: Queries,
  tenantId: string,
  tokenId: string,
  secret: string,
): Promise<{ id: string; role: Role } | undefined> {
  const [token] = await queries.query<{ id: string; role: Role; hash: string }>(
    "SELECT id, role, secret_hash AS hash FROM access_tokens WHERE tenant_id = $1 AND id = $2",
    [tenantId, tokenId],
  );
  const expected = Buffer.from(token?.hash ?? hash(""), "hex");
  const matches = timingSafeEqual(expected, Buffer.from(hash(secret), "hex"));
  return matches && token !== undefined ? { id: token.id, role: token.role } : undefined;
}

const hash = (secret: string) => createHash("sha256").update(secret).digest("hex");
