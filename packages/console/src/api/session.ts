import type { TokenRole } from "@lading/schema";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { SignedOut } from "./errors.ts";
import type { OneTimeCode } from "./one-time-code.ts";
import { forgetPerson, rememberPerson } from "./person.ts";
import { sendToSession } from "./request.ts";

/** The tenants of this browser's session, ordered by identifier. */
interface Session {
  tenants: { identifier: string; role: TokenRole; personName?: string }[];
}

/** A token of a tenant, or a code of `lading console`, valid for one sign-in. */
export type Credentials = { tenant: string; accessTokenId: string; accessTokenSecret: string } | OneTimeCode;

export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: readSession, staleTime: 60_000 });

async function readSession({ signal }: { signal?: AbortSignal }): Promise<Session> {
  try {
    const response = await sendToSession(signal ? { signal } : {});
    const session: Session = await response.json();
    if (session.tenants.some(({ personName }) => personName !== undefined)) rememberPerson();
    return session;
  } catch (error) {
    if (error instanceof SignedOut) return { tenants: [] };
    throw error;
  }
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
  return response.json();
}

/** Tells the other tabs of this browser that the session was ended. */
export const signOuts = new BroadcastChannel("lading-sign-out");

/** The URL that ends the session at the identity provider, once the one here was ended. */
let providerSignOut: string | undefined;

export const signOutAtProvider = (): string | undefined => providerSignOut;

export async function signOut(): Promise<void> {
  const response = await sendToSession({ method: "DELETE" });
  const { signOutUrl }: { signOutUrl?: string } = response.status === 204 ? {} : await response.json();
  providerSignOut = signOutUrl;
  forgetPerson();
  signOuts.postMessage(null);
}

/** The tenant of the URL, `/console/@{tenant}/…`. */
export function useTenant(): string {
  const { tenant } = useParams({ strict: false });
  if (tenant === undefined) throw new Error("This page does not belong to a tenant");
  return tenant;
}

/** The role of the session's token, by which pages offer actions. The service checks it again. */
export function useRole(): TokenRole {
  const tenant = useTenant();
  const { data } = useQuery(sessionQuery);
  return data?.tenants.find(({ identifier }) => identifier === tenant)?.role ?? "reader";
}

/** True if the session's token may write. */
export const useIsAdmin = (): boolean => useRole() === "admin";
