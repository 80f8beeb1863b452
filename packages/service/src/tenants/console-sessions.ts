import { randomBytes } from "node:crypto";
import type { Database, Queries } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { sharedLock } from "../storage/tenant-locks.ts";
import {
  countOtherTenants,
  deleteDisplaced,
  deleteExpired,
  deleteSession,
  type EndedSession,
  holdToken,
  insertSession,
  renewSession,
  type SessionTenant,
  sessionTenants,
} from "../storage/tenants/console-sessions.ts";
import { sha256 } from "./access-tokens.ts";
import { audit } from "./audit.ts";

export type { SessionTenant } from "../storage/tenants/console-sessions.ts";

export const consoleLimits = {
  sessionHours: 12,
  /** Sessions per token; a further one ends the oldest. */
  sessionsOfToken: 20,
  tenantsOfSession: 20,
  /** Lifetime of a one-time code, in seconds. */
  codeSeconds: 60,
  /** Unused codes per token; a further one replaces the oldest. */
  codesOfToken: 5,
  /**
   * Sessions and codes per token, hour and process. Each session writes up to two entries to the audit trail, which is
   * never pruned: this bounds its growth by read-only tokens.
   */
  openedPerHour: 60,
  /** Requests a session may make about itself, per minute and process. */
  requestsPerMinute: 120,
  /** Body size of a request for a session, in bytes. */
  requestBytes: 4_096,
} as const;

/** The secret of a session or a code as it is stored and looked up. */
export const hashOfSession = sha256;

/** Makes the secret of a session or a code: 256 random bits in base64url. */
export const newSessionSecret = (): string => randomBytes(32).toString("base64url");

/** The tenant and the access token to open a session for; the caller has authenticated them. */
export interface SessionHolder {
  tenant: { id: string; identifier: string };
  token: { id: string; name: string };
}

/** The tenants a session may use now; none when it has ended or never existed. */
export const tenantsOfSession = (queries: Queries, secret: string): Promise<SessionTenant[]> =>
  sessionTenants(queries, hashOfSession(secret), consoleLimits.tenantsOfSession);

/**
 * Opens a session with this secret for a token's tenant, and records that. Moves the other tenants of the current
 * session to it, and invalidates the current secret. Beyond `consoleLimits.sessionsOfToken` sessions of a token, ends
 * the oldest.
 * Returns `full` when the session has its maximum of tenants, and `gone` when the token or its tenant was deleted
 * meanwhile.
 */
export async function openSession(
  database: Database,
  holder: SessionHolder,
  { secret, present, by }: { secret: string; present: string | undefined; by: "token" | "code" },
): Promise<"opened" | "full" | "gone"> {
  const hash = hashOfSession(secret);
  const presentHash = present === undefined ? null : hashOfSession(present);
  const [tenantId, tokenId] = [holder.tenant.id, holder.token.id];
  return retriedTransaction(
    database,
    async (transaction) => {
      if (!(await holdToken(transaction, tenantId, tokenId))) return "gone";
      const others = presentHash === null ? 0 : await countOtherTenants(transaction, presentHash, tenantId);
      if (others >= consoleLimits.tenantsOfSession) return "full";
      const keep = consoleLimits.sessionsOfToken - 1;
      await recordEnds(
        transaction,
        await deleteDisplaced(transaction, { tenantId, tokenId, presentHash, keep }),
      );
      if (presentHash !== null) await renewSession(transaction, presentHash, hash);
      const lifetime = consoleLimits.sessionHours * 3_600;
      const session = await insertSession(transaction, { tenantId, tokenId, hash, lifetime });
      if (session === undefined) return "gone";
      await audit(transaction, {
        ...{ tenant: holder.tenant, actor: { type: "accessToken", ...holder.token } },
        ...{ action: "session.opened", subjectId: session.id, details: { by, expiresAt: session.expiresAt } },
      });
      return "opened";
    },
    undefined,
    { own: `session ${presentHash ?? hash}`, ...sharedLock(tenantId) },
  );
}

/** Ends a session, or its use of one tenant. Idempotent. */
export async function endSession(
  database: Database,
  secret: string,
  tenantIdentifier: string | null,
): Promise<void> {
  await retriedTransaction(database, async (transaction) =>
    recordEnds(transaction, await deleteSession(transaction, hashOfSession(secret), tenantIdentifier)),
  );
}

/** Records that sessions of tokens were ended. */
export async function recordEnds(transaction: Queries, ended: readonly EndedSession[]): Promise<void> {
  for (const { id, tenant, token } of ended) {
    const actor = { type: "accessToken", id: token.id, name: token.name } as const;
    await audit(transaction, { tenant, actor, action: "session.ended", subjectId: id });
  }
}

/** Removes expired sessions and codes, in small statements. Returns the number of rows. */
export async function removeExpiredSessions(database: Database, over: () => boolean): Promise<number> {
  for (let removed = 0; ; ) {
    const portion = over() ? 0 : await deleteExpired(database);
    if (portion === 0) return removed;
    removed += portion;
  }
}
