import type { Database } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { sharedLock } from "../storage/tenant-locks.ts";
import { insertCode, takeCode } from "../storage/tenants/console-codes.ts";
import { holdToken } from "../storage/tenants/console-sessions.ts";
import { consoleLimits, hashOfSession, newSessionSecret, type SessionHolder } from "./console-sessions.ts";

/** Creates a code that opens one session for a token; undefined when the token or its tenant was deleted meanwhile. */
export async function createCode(
  database: Database,
  { tenant, token }: SessionHolder,
): Promise<{ code: string; expiresAt: string } | undefined> {
  const code = newSessionSecret();
  return retriedTransaction(
    database,
    async (transaction) => {
      if (!(await holdToken(transaction, tenant.id, token.id))) return undefined;
      const row = await insertCode(transaction, {
        ...{ tenantId: tenant.id, tokenId: token.id, hash: hashOfSession(code) },
        ...{ lifetime: consoleLimits.codeSeconds, keep: consoleLimits.codesOfToken - 1 },
      });
      return row && { code, ...row };
    },
    undefined,
    sharedLock(tenant.id),
  );
}

/** Uses up a tenant's code; undefined when it was used, has expired, is of another tenant or never existed. */
export const useCode = (
  database: Database,
  { tenant, code }: { tenant: string; code: string },
): Promise<SessionHolder | undefined> =>
  retriedTransaction(database, (transaction) =>
    takeCode(transaction, { tenantIdentifier: tenant, hash: hashOfSession(code) }),
  );
