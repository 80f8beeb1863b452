import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { TokenRole } from "@lading/schema/internal";
import type { Logger } from "pino";
import type { Database, Queries } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { isOutage } from "../storage/sql-states.ts";
import { deleteSession } from "../storage/tenants/console-sessions.ts";
import { mappedGroups, roleOfGroups, tenantsOfGroups } from "../storage/tenants/group-roles.ts";
import {
  claimRenewal,
  deleteOldestOfPerson,
  deletePersonSession,
  findPersonSession,
  insertPersonSession,
  insertUsedSignIn,
  noteFailedRenewal,
  type Person,
  type PersonSession,
  rolesOfSessions,
  storeRenewal,
} from "../storage/tenants/person-sessions.ts";
import type { Sealing } from "../system/sealing.ts";
import type { PersonTokens } from "./access-tokens.ts";
import { type AuditAction, audit } from "./audit.ts";
import {
  consoleLimits,
  hashOfSession,
  newSessionSecret,
  recordEnds,
  type SessionTenant,
} from "./console-sessions.ts";

export const personLimits = {
  /** Seconds for which the provider's answer counts. */
  validSeconds: 300,
  /** Seconds after which the provider is asked to confirm it, while its answer still counts. */
  renewAfterSeconds: 240,
  /** Further seconds for which it counts while the provider cannot be reached. */
  graceSeconds: 300,
  /** Seconds for which one process has the right to ask, and until the provider is tried again. */
  leaseSeconds: 20,
  /** Milliseconds a request waits while another one asks. */
  waitMs: 8_000,
  /** Sessions of a person; a further one ends the oldest. */
  sessionsOfPerson: 20,
  /** Tenants that a session lists, and whose audit trail has its beginning and end. */
  tenants: 1_000,
  /** Minutes for which a sign-in that has begun can be finished. */
  signInMinutes: 10,
} as const;

/** A person as the provider describes them now. */
export interface Identity {
  issuer: string;
  subject: string;
  name: string;
  groups: readonly string[];
}

/** The tokens that the provider gave for a session; encrypted in the database. */
export interface ProviderSecrets {
  refreshToken?: string | undefined;
  /** A hint for signing out at the provider. */
  idToken?: string | undefined;
}

export interface Confirmation {
  identity: Identity;
  secrets: ProviderSecrets;
}

/** Asks the provider whether a person still is who they were, and which groups they have. */
export interface IdentityProvider {
  readonly issuer: string;
  renew(refreshToken: string, subject: string): Promise<Confirmation | Unconfirmed>;
}

/** Why a person was not confirmed. */
export interface Unconfirmed {
  /** True when the provider could not be reached, and false when it has ended the session. */
  isAway: boolean;
  reason: string;
  /** The one to send next, when the provider gave it before it failed. */
  refreshToken?: string | undefined;
}

/** The sessions of persons. */
export interface Persons extends PersonTokens {
  /** Uses up a sign-in by its state; false when it was used before. */
  useSignIn(state: string): Promise<boolean>;
  /**
   * Opens a session, with a new secret, in place of the present one. Returns undefined for a person none of whose
   * groups has a role in a tenant.
   */
  open(confirmation: Confirmation, presentHash: string | undefined): Promise<string | undefined>;
  /**
   * The role in each tenant that a session is used for, in one query, and "due" where `tokenIn` would ask the provider.
   * `tenantId` is given if all are in one tenant.
   */
  rolesIn(
    uses: readonly { tenantId: string; secret: string }[],
    tenantId?: string,
  ): Promise<readonly (TokenRole | "due" | undefined)[]>;
  /** The tenants of a session. */
  tenantsOf(secret: string): Promise<SessionTenant[]>;
  /** Ends a session; returns what the provider gave for it, or undefined when there is no such session. */
  end(secret: string): Promise<ProviderSecrets | undefined>;
}

/** The id of a person: in a form that no access token has. */
export const personId = (issuer: string, subject: string): string =>
  `person-${createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("hex")
    .slice(0, 40)}`;

export interface PersonServices {
  database: Database;
  provider: IdentityProvider;
  sealing: Sealing;
  logger: Logger;
}

export function openPersons(services: PersonServices): Persons {
  const { database, provider, sealing } = services;
  const current = confirmedSessions(services);
  return {
    useSignIn: (state) => insertUsedSignIn(database, hashOfSession(state), personLimits.signInMinutes * 60),
    open: (confirmation, presentHash) => openSession(services, confirmation, presentHash),
    async tokenIn(tenantId, secret) {
      const session = await current(hashOfSession(secret));
      const role = session && (await roleOfGroups(database, session.groups, tenantId));
      if (session === undefined || role === undefined) return undefined;
      const { id, name, issuer, subject, createdAt, expiresAt } = session;
      return { id, name, role, createdAt, expiresAt, lastUsedAt: null, person: { issuer, subject } };
    },
    async rolesIn(uses, tenantId) {
      const hashed = uses.map(({ tenantId, secret }) => ({ tenantId, hash: hashOfSession(secret) }));
      const { renewAfterSeconds: after } = personLimits;
      const found = await rolesOfSessions(database, hashed, { issuer: provider.issuer, after, tenantId });
      const keyOf = ({ tenantId, hash }: (typeof hashed)[number]) => `${tenantId} ${hash}`;
      const byUse = new Map(found.map((each) => [keyOf(each), each]));
      return hashed.map((use) => {
        const { role, isDue } = byUse.get(keyOf(use)) ?? {};
        return isDue ? "due" : (role ?? undefined);
      });
    },
    async tenantsOf(secret) {
      const session = await current(hashOfSession(secret));
      if (session === undefined) return [];
      const { name: personName, expiresAt } = session;
      const tenants = await tenantsOfGroups(database, session.groups, personLimits.tenants);
      return tenants.map(({ identifier, name, role }) => ({ identifier, name, role, personName, expiresAt }));
    },
    async end(secret) {
      const ended = await endSession(database, { hash: hashOfSession(secret) });
      return ended && (secretsIn(sealing, ended) ?? {});
    },
  };
}

/**
 * Makes the function that finds a session, if the provider has confirmed it within the last five minutes, or within
 * the grace while it is unreachable. It asks the provider again a minute before.
 */
function confirmedSessions(services: PersonServices) {
  const { database, provider, logger } = services;
  const { renewAfterSeconds, validSeconds, graceSeconds, leaseSeconds, waitMs } = personLimits;
  const isInGrace = ({ age }: PersonSession) => age < validSeconds + graceSeconds;
  const counts = (session: PersonSession) =>
    session.age < validSeconds || (session.isUnconfirmed && isInGrace(session));
  return async (hash: string): Promise<PersonSession | undefined> => {
    const find = () => findPersonSession(database, { hash, issuer: provider.issuer, lease: leaseSeconds });
    const session = await find();
    if (session === undefined || session.age < renewAfterSeconds) return session;
    if (!session.isRenewable) return counts(session) ? session : undefined;
    const renewal = renew(services, session);
    if (counts(session)) {
      renewal.catch((error) => logger.warn({ err: error }, "renewing a person's session failed"));
      return session;
    }
    for (const until = Date.now() + waitMs; ; await setTimeout(100)) {
      await renewal;
      const renewed = await find();
      if (renewed === undefined || counts(renewed)) return renewed;
      if (renewed.isUnconfirmed && !renewed.isRenewing) return undefined;
      // Another request or process is asking. When it waits for as long, the provider is unreachable.
      if (Date.now() > until) return isInGrace(renewed) ? renewed : undefined;
    }
  };
}

/** Asks the provider, unless another request or process does. The session's row has the result. */
async function renew(
  { database, provider, sealing, logger }: PersonServices,
  session: PersonSession,
): Promise<void> {
  const { sessionId, id: person, subject } = session;
  const right = { after: personLimits.renewAfterSeconds, lease: personLimits.leaseSeconds };
  const claimed = await retriedTransaction(database, (transaction) =>
    claimRenewal(transaction, sessionId, right),
  );
  if (claimed === undefined) return;
  const secrets = secretsIn(sealing, { ...session, ...claimed });
  const refreshToken = secrets?.refreshToken;
  const answer = refreshToken === undefined ? undecrypted : await provider.renew(refreshToken, subject);
  if ("reason" in answer && answer.isAway) {
    logger.warn({ person, reason: answer.reason }, "the identity provider does not confirm a person now");
    const next = answer.refreshToken && JSON.stringify({ ...secrets, refreshToken: answer.refreshToken });
    return noteFailedRenewal(database, sessionId, next ? sealing.seal(sessionId, next) : claimed);
  }
  const groups =
    "reason" in answer ? [] : await stillMapped(database, answer.identity.groups, session.groups);
  if ("reason" in answer || groups.length === 0) {
    const reason = "reason" in answer ? answer.reason : "none of the person's groups has a role";
    logger.info({ person, reason }, "the session of a person has ended");
    await endSession(database, { sessionId });
    return;
  }
  const sealed = sealing.seal(sessionId, JSON.stringify({ refreshToken, ...definedIn(answer.secrets) }));
  await storeRenewal(database, sessionId, { name: answer.identity.name, groups, ...sealed });
}

/** The groups that have a role in a tenant; while a server of a cluster is unreachable, those that had one before. */
const stillMapped = (database: Database, groups: readonly string[], before: readonly string[]) =>
  mappedGroups(database, groups).catch((error) => {
    if (!database.cluster || !isOutage(error)) throw error;
    const kept = groups.filter((group) => before.includes(group));
    // It is not known whether the others have a role: the session must not end for that.
    if (kept.length === 0) throw error;
    return kept;
  });

const undecrypted: Unconfirmed = {
  isAway: false,
  reason: "its refresh token is encrypted under a signing key that this process does not have",
};

async function openSession(
  { database, sealing }: PersonServices,
  { identity, secrets }: Confirmation,
  presentHash: string | undefined,
): Promise<string | undefined> {
  const groups = await mappedGroups(database, identity.groups);
  if (groups.length === 0) return undefined;
  const { issuer, subject, name } = identity;
  const person: Person = { id: personId(issuer, subject), issuer, subject, name };
  const secret = newSessionSecret();
  const sessionId = newId();
  const isRenewable = secrets.refreshToken !== undefined;
  const lifetime = isRenewable ? consoleLimits.sessionHours * 3_600 : personLimits.validSeconds;
  const sealed = sealing.seal(sessionId, JSON.stringify(secrets));
  const row = { sessionId, hash: hashOfSession(secret), name, groups, isRenewable, lifetime, ...sealed };
  await retriedTransaction(
    database,
    async (transaction) => {
      const wasSignedIn = await endPresent(transaction, person, presentHash);
      const keep = personLimits.sessionsOfPerson - 1;
      for (const ended of await deleteOldestOfPerson(transaction, person.id, keep))
        await record(transaction, "session.ended", ended);
      const inserted = await insertPersonSession(transaction, person, row);
      const details = { by: "provider", ...inserted };
      if (!wasSignedIn)
        await record(transaction, "session.opened", { ...person, sessionId, groups }, details);
    },
    undefined,
    { own: `sessions of ${person.id}` },
  );
  return secret;
}

const endSession = (database: Database, by: Parameters<typeof deletePersonSession>[1]) =>
  retriedTransaction(database, async (transaction) => {
    const ended = await deletePersonSession(transaction, by);
    if (ended !== undefined) await record(transaction, "session.ended", ended);
    return ended;
  });

/** Ends the session that a new one replaces; returns true when it was the same person's. */
async function endPresent(
  transaction: Queries,
  person: Person,
  presentHash: string | undefined,
): Promise<boolean> {
  if (presentHash === undefined) return false;
  await recordEnds(transaction, await deleteSession(transaction, presentHash, null));
  const present = await deletePersonSession(transaction, { hash: presentHash });
  if (present === undefined) return false;
  const isSame = present.id === person.id;
  if (!isSame) await record(transaction, "session.ended", present);
  return isSame;
}

/** Records what became of a session, in the audit trail of each of its tenants. */
async function record(
  transaction: Queries,
  action: AuditAction,
  { id, issuer, subject, name, sessionId, groups }: Person & Pick<PersonSession, "sessionId" | "groups">,
  details?: object,
): Promise<void> {
  const actor = { type: "person", id, issuer, subject, name } as const;
  const entry = { actor, action, subjectId: sessionId, ...(details && { details }) };
  for (const tenant of await tenantsOfGroups(transaction, groups, personLimits.tenants))
    await audit(transaction, { ...entry, tenant });
}

/** Decrypts what the provider gave; undefined when the signing key is another one now. */
function secretsIn(
  sealing: Sealing,
  { sessionId, keyId, sealed }: Pick<PersonSession, "sessionId" | "keyId" | "sealed">,
): ProviderSecrets | undefined {
  try {
    return JSON.parse(sealing.open(sessionId, { keyId, sealed }));
  } catch {
    return undefined;
  }
}

const definedIn = (secrets: ProviderSecrets): ProviderSecrets =>
  Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined));
