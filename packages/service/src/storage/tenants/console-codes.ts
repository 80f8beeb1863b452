import type { Queries } from "../database.ts";
import { newId } from "../ids.ts";
import { type TokenColumns, type TokenOfTenant, tokenColumns, tokenOfTenant } from "./console-sessions.ts";
import { heldTenant, idOfName, isOpen } from "./find.ts";

export interface NewCodeRow {
  tenantId: string;
  tokenId: string;
  hash: string;
  /** Seconds from now. */
  lifetime: number;
  /** The number of the token's newest codes that are kept along with this one. */
  keep: number;
}

/** Stores a code, and removes the token's oldest ones. Returns undefined when the tenant was deleted. */
export async function insertCode(
  transaction: Queries,
  { tenantId, tokenId, hash, lifetime, keep }: NewCodeRow,
): Promise<{ expiresAt: string } | undefined> {
  await transaction.execute(
    `DELETE FROM console_codes WHERE tenant_id = $1 AND id IN (
       SELECT id FROM console_codes WHERE tenant_id = $1 AND token_id = $2 ORDER BY id DESC OFFSET $3)`,
    [tenantId, tokenId, keep],
  );
  const [row] = await transaction.query<{ expiresAt: string }>(
    `INSERT INTO console_codes AS c (tenant_id, hash, id, token_id, expires_at)
     ${heldTenant("t.id, $2, $3, $4, now() + make_interval(secs => $5)")} RETURNING c.expires_at AS "expiresAt"`,
    [tenantId, hash, newId(), tokenId, lifetime],
  );
  return row;
}

/**
 * Removes a code and returns its tenant and token; undefined when it was used, has expired, is of another tenant or
 * never existed, or when its token has expired. Of concurrent attempts one succeeds.
 */
export async function takeCode(
  queries: Queries,
  { tenantIdentifier, hash }: { tenantIdentifier: string; hash: string },
): Promise<TokenOfTenant | undefined> {
  const byId = queries.cluster ? [await idOfName(queries, tenantIdentifier)] : [];
  const [taken] = await queries.query<TokenColumns>(
    `DELETE FROM console_codes c USING access_tokens t, tenants n
     WHERE c.hash = $1 AND c.expires_at > now() AND t.tenant_id = c.tenant_id AND t.id = c.token_id
       AND (t.expires_at IS NULL OR t.expires_at > now()) AND n.id = c.tenant_id AND n.identifier = $2 AND n.${isOpen}
       ${queries.cluster ? "AND c.tenant_id = $3" : ""}
     RETURNING ${tokenColumns}`,
    [hash, tenantIdentifier, ...byId],
  );
  return taken && tokenOfTenant(taken);
}
