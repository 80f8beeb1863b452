import { type TokenRole, tokenRoles } from "@lading/schema/internal";
import type { SealedSecret } from "../../system/sealing.ts";
import type { Queries } from "../database.ts";
import { greatestRole } from "./group-roles.ts";

/** A person, as the identity provider names them. */
export interface Person {
  /** Derived from issuer and subject; never the id of an access token. */
  id: string;
  issuer: string;
  subject: string;
  name: string;
}

/** The provider's last word of a person, to be stored. */
export interface Verified extends SealedSecret {
  name: string;
  groups: readonly string[];
  isRenewable: boolean;
  /** Seconds from now. */
  lifetime: number;
}

export interface PersonSession extends Person, SealedSecret {
  sessionId: string;
  groups: string[];
  isRenewable: boolean;
  /** Seconds since the provider confirmed the person. */
  age: number;
  /** True while the provider cannot be reached. */
  isUnconfirmed: boolean;
  createdAt: string;
  expiresAt: string;
}

const columns = `id AS "sessionId", person_id AS id, issuer, subject, name, groups, key_id AS "keyId", sealed,
  is_renewable AS "isRenewable", extract(epoch FROM now() - verified_at)::float8 AS age,
  failed_at IS NOT NULL AS "isUnconfirmed", created_at AS "createdAt", expires_at AS "expiresAt"`;

/** `isRenewing` is true while a process that has the right to ask, for `lease` seconds, waits for the provider. */
export async function findPersonSession(
  queries: Queries,
  { hash, issuer, lease }: { hash: string; issuer: string; lease: number },
): Promise<(PersonSession & { isRenewing: boolean }) | undefined> {
  const [session] = await queries.query<PersonSession & { isRenewing: boolean }>(
    `SELECT ${columns}, coalesce(renewing_until > now(), false)
       AND coalesce(failed_at < renewing_until - make_interval(secs => $3), true) AS "isRenewing"
     FROM person_sessions WHERE hash = $1 AND issuer = $2 AND expires_at > now()`,
    [hash, issuer, lease],
  );
  return session;
}

/** The use of a tenant in a session of a person. */
export interface SessionRole {
  tenantId: string;
  hash: string;
  /** The greatest of the person's groups; null when none has one in the tenant. */
  role: TokenRole | null;
  /** True when the provider is to be asked again. */
  isDue: boolean;
}

/**
 * The roles of sessions that have not expired, each in a tenant; `after` is the age in seconds at which one is due.
 * `tenantId` is given if all are in one tenant.
 */
export const rolesOfSessions = (
  queries: Queries,
  uses: readonly Pick<SessionRole, "tenantId" | "hash">[],
  { issuer, after, tenantId }: { issuer: string; after: number; tenantId?: string | undefined },
): Promise<SessionRole[]> =>
  queries.query<SessionRole>(
    `SELECT o.tenant_id AS "tenantId", s.hash, ${greatestRole} AS role,
       s.verified_at <= now() - make_interval(secs => $5) AS "isDue"
     FROM unnest($1::text[], $3::text[]) AS o(tenant_id, hash)
     JOIN person_sessions s ON s.hash = o.hash AND s.issuer = $4 AND s.expires_at > now()
     LEFT JOIN group_roles g ON g.tenant_id = o.tenant_id AND g.group_name = ANY (s.groups)
       ${tenantId ? "AND g.tenant_id = $6" : ""}
     GROUP BY o.tenant_id, s.id, s.hash, s.verified_at`,
    [
      ...[uses.map(({ tenantId }) => tenantId), tokenRoles, uses.map(({ hash }) => hash), issuer, after],
      ...(tenantId ? [tenantId] : []),
    ],
  );

export async function insertPersonSession(
  transaction: Queries,
  { id, issuer, subject, name }: Person,
  { sessionId, hash, ...verified }: Verified & { sessionId: string; hash: string },
): Promise<{ expiresAt: string } | undefined> {
  const { groups, keyId, sealed, isRenewable, lifetime } = verified;
  const [row] = await transaction.query<{ expiresAt: string }>(
    `INSERT INTO person_sessions
       (id, hash, person_id, issuer, subject, name, groups, key_id, sealed, is_renewable, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11))
     RETURNING expires_at AS "expiresAt"`,
    [sessionId, hash, id, issuer, subject, name, groups, keyId, sealed, isRenewable, lifetime],
  );
  return row;
}

/**
 * Takes the right to ask the provider about a session that was confirmed more than `after` seconds ago, for `lease`
 * seconds, and returns what is sealed then. Of concurrent callers, in any process, one gets it.
 */
export async function claimRenewal(
  queries: Queries,
  sessionId: string,
  { after, lease }: { after: number; lease: number },
): Promise<SealedSecret | undefined> {
  const [claimed] = await queries.query<SealedSecret>(
    `UPDATE person_sessions SET renewing_until = now() + make_interval(secs => $3)
     WHERE id = $1 AND verified_at < now() - make_interval(secs => $2) AND (renewing_until IS NULL OR renewing_until < now())
     RETURNING key_id AS "keyId", sealed`,
    [sessionId, after, lease],
  );
  return claimed;
}

/** Stores what the provider confirmed, and gives the right to ask it back. */
export async function storeRenewal(
  queries: Queries,
  sessionId: string,
  { name, groups, keyId, sealed }: Omit<Verified, "isRenewable" | "lifetime">,
): Promise<void> {
  await queries.execute(
    `UPDATE person_sessions SET name = $2, groups = $3, key_id = $4, sealed = $5, verified_at = now(),
       renewing_until = NULL, failed_at = NULL WHERE id = $1`,
    [sessionId, name, groups, keyId, sealed],
  );
}

/**
 * Notes that the provider could not be reached, and what is to be sealed; the next try is when the right to ask has run
 * out.
 */
export async function noteFailedRenewal(
  queries: Queries,
  sessionId: string,
  { keyId, sealed }: SealedSecret,
): Promise<void> {
  await queries.execute(
    "UPDATE person_sessions SET failed_at = now(), key_id = $2, sealed = $3 WHERE id = $1",
    [sessionId, keyId, sealed],
  );
}

/** Deletes a session, by the hash of its secret or by its id, and returns it. */
export async function deletePersonSession(
  transaction: Queries,
  by: { hash: string } | { sessionId: string },
): Promise<PersonSession | undefined> {
  const [column, value] = "hash" in by ? ["hash", by.hash] : ["id", by.sessionId];
  const [deleted] = await transaction.query<PersonSession>(
    `DELETE FROM person_sessions WHERE ${column} = $1 RETURNING ${columns}`,
    [value],
  );
  return deleted;
}

/** Deletes the sessions of a person, except the newest `keep`. */
export const deleteOldestOfPerson = (
  transaction: Queries,
  personId: string,
  keep: number,
): Promise<PersonSession[]> =>
  transaction.query<PersonSession>(
    `DELETE FROM person_sessions WHERE id IN (
       SELECT id FROM person_sessions WHERE person_id = $1 ORDER BY id DESC OFFSET $2) RETURNING ${columns}`,
    [personId, keep],
  );

/** Records that a sign-in came back; false when it did before. */
export async function insertUsedSignIn(queries: Queries, hash: string, lifetime: number): Promise<boolean> {
  const inserted = await queries.execute(
    `INSERT INTO used_sign_ins (hash, expires_at) VALUES ($1, now() + make_interval(secs => $2))
     ON CONFLICT DO NOTHING`,
    [hash, lifetime],
  );
  return inserted > 0;
}
