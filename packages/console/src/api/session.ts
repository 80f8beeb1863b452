import type { TokenRole } from "@lading/schema/internal";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { draftKey } from "./drafts.ts";
import { SignedOut } from "./errors.ts";
import type { OneTimeCode } from "./one-time-code.ts";
import { forgetPerson, providerQuery, rememberPerson } from "./person.ts";
import { queryClient } from "./query-client.ts";
import { sendToSession } from "./request.ts";

/** The tenants of this browser's session, ordered by identifier. */
interface Session {
  tenants: { identifier: string; role: TokenRole; personName?: string }[];
}

/** A token of a tenant, or a code of `lading console`, valid for one sign-in. */
export type Credentials = { tenant: string; accessTokenId: string; accessTokenSecret: string } | OneTimeCode;

/** Another tab may have signed in as somebody else: it is read again whenever this one is returned to. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: readSession,
  staleTime: 60_000,
  refetchOnWindowFocus: "always",
});

async function readSession({ signal }: { signal?: AbortSignal }): Promise<Session> {
  try {
    const response = await sendToSession(signal ? { signal } : {});
    const session: Session = await response.json();
    if (session.tenants.some(({ personName }) => personName !== undefined)) rememberPerson();
    noteHeld(session.tenants);
    return session;
  } catch (error) {
    if (error instanceof SignedOut) return { tenants: [] };
    throw error;
  }
}

/** The tenants of the last session of this tab. */
let held: Session["tenants"] = [];

/** Drops what was read with another role, or as another person. Unsent edits stay. */
function noteHeld(tenants: Session["tenants"]): void {
  const isAnother = held.some(({ identifier, role, personName }) => {
    const now = tenants.find((each) => each.identifier === identifier);
    return now?.role !== role || now.personName !== personName;
  });
  held = tenants;
  const kept: readonly unknown[] = [draftKey, ...sessionQuery.queryKey, ...providerQuery.queryKey];
  if (isAnother) void queryClient.resetQueries({ predicate: ({ queryKey: [name] }) => !kept.includes(name) });
}

/** A session to which a tenant was added: `opened`. */
interface OpenedSession extends Session {
  opened: string;
}

/** Adds a tenant to the session. Throws `SignedOut` with the reason if the credentials are refused. */
export async function signIn(credentials: Credentials): Promise<OpenedSession> {
  const response = await sendToSession({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials),
  });
  providerSignOut = undefined;
  const session: OpenedSession = await response.json();
  noteHeld(session.tenants);
  return session;
}

/** Tells the other tabs of this browser that the session was ended. */
export const signOuts = new BroadcastChannel("lading-sign-out");

/** The URL that ends the session at the identity provider, once the one here was ended. */
let providerSignOut: string | undefined;

export const signOutAtProvider = (): string | undefined => providerSignOut;

export async function signOut(): Promise<void> {
  // First, or another tab that finds the session ended would sign in again.
  await forgetSession();
  providerSignOut = await endSession();
  // The session may have been read meanwhile.
  await forgetSession();
  held = [];
  signOuts.postMessage(null);
}

async function forgetSession(): Promise<void> {
  await queryClient.cancelQueries(sessionQuery);
  forgetPerson();
}

/** Ends the session, if it has not ended already; returns the URL that ends the one at the provider. */
async function endSession(): Promise<string | undefined> {
  try {
    const response = await sendToSession({ method: "DELETE" });
    const { signOutUrl }: { signOutUrl?: string } = response.status === 204 ? {} : await response.json();
    return signOutUrl;
  } catch (error) {
    if (error instanceof SignedOut) return undefined;
    throw error;
  }
}

/** The tenant of the URL, `/console/@{tenant}/…`. */
export function useTenant(): string {
  const { tenant } = useParams({ strict: false });
  if (tenant === undefined) throw new Error("This page does not belong to a tenant");
  return tenant;
}

function useSessionTenant(): Session["tenants"][number] | undefined {
  const tenant = useTenant();
  return useQuery(sessionQuery).data?.tenants.find(({ identifier }) => identifier === tenant);
}

const isWithout = (session: Session | undefined, tenant: string): boolean =>
  session !== undefined && !session.tenants.some(({ identifier }) => identifier === tenant);

/** True once the session is known not to have the tenant. */
export const hasSessionEnded = (tenant: string): boolean =>
  isWithout(queryClient.getQueryData(sessionQuery.queryKey), tenant);

export const useHasSessionEnded = (): boolean => isWithout(useQuery(sessionQuery).data, useTenant());

/** The role in the tenant, by which pages offer actions. The service checks it again. */
export const useRole = (): TokenRole => useSessionTenant()?.role ?? "reader";

/** The name of the person who is signed in; undefined for a token. */
export const usePersonName = (): string | undefined => useSessionTenant()?.personName;

/** True if the session may write. */
export const useIsAdmin = (): boolean => useRole() === "admin";
