import { reject } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { sqlStateOf, sqlStates } from "../storage/sql-states.ts";
import { initialSettings, type Tenant } from "../storage/tenants/tenant.ts";
import { insertTenant } from "../storage/tenants/write.ts";
import { createAccessToken } from "./access-tokens.ts";
import { audit, operator } from "./audit.ts";

export interface CreatedTenant {
  tenant: Tenant;
  accessTokenId: string;
  /** Shown once; only its hash is stored. */
  accessTokenSecret: string;
}

/**
 * Creates a tenant with its root folder, initial settings and an admin token.
 * Rejects with `ValidationError` (identifier: 2 to 64 of a–z, 0–9 and dash) or `TenantIdentifierTakenError`.
 */
export async function createTenant(
  database: Database,
  input: { identifier: string; name?: string | null },
): Promise<CreatedTenant> {
  const { identifier } = input;
  // Callers in this process may pass a non-string, which `test` would convert to one.
  if (typeof identifier !== "string" || !/^[a-z0-9][a-z0-9-]{0,62}[a-z0-9]$/.test(identifier))
    reject(
      "ValidationError",
      `"${identifier}" cannot be a tenant identifier: use 2 to 64 lowercase letters, digits and dashes, ` +
        "beginning and ending with a letter or digit",
      ["identifier"],
    );
  const tenant: Tenant = {
    id: newId(),
    identifier,
    name: input.name ?? identifier,
    rootItemId: newId(),
    settings: initialSettings(),
    aliasLanguages: [],
    hasReleasedImages: false,
    formerPathLanguages: [],
  };
  try {
    return await retriedTransaction(database, async (transaction) => {
      await insertTenant(transaction, tenant);
      const token = await createAccessToken(transaction, tenant.id, { name: "first token", role: "admin" });
      await audit(transaction, {
        ...{ tenant, actor: operator, action: "tenant.created", subjectId: tenant.id },
        details: { accessTokenId: token.id },
      });
      return { tenant, accessTokenId: token.id, accessTokenSecret: token.secret };
    });
  } catch (error) {
    if (sqlStateOf(error) === sqlStates.uniqueViolation)
      reject("TenantIdentifierTakenError", `A tenant "${identifier}" exists already`, ["identifier"]);
    throw error;
  }
}
