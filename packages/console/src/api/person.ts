import { queryOptions } from "@tanstack/react-query";
import { hasDraft } from "./drafts.ts";
import { send } from "./request.ts";

/** The identity provider at which persons sign in, if there is one. */
interface SignInProvider {
  provider: { name: string; isAway: boolean } | null;
}

export const providerQuery = queryOptions({
  queryKey: ["provider"],
  queryFn: async ({ signal }): Promise<SignInProvider> => (await send("/console/oidc", { signal })).json(),
  staleTime: 5_000,
});

/** The URL that signs in at the provider, and leads back to a page of the console. */
export function signInUrl(then: string | undefined, flag?: "silent" | "tab"): string {
  const query = new URLSearchParams({ ...(then !== undefined && { then }), ...(flag && { [flag]: "" }) });
  return `/console/oidc/sign-in?${query}`;
}

const key = "lading-person";

/** Remembers, in this tab and in the browser, that a person is signed in. */
export function rememberPerson(): void {
  sessionStorage.setItem(key, "yes");
  localStorage.setItem(key, "yes");
}

/** Forgets it in every tab, also in one that is restored later. */
export function forgetPerson(): void {
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
}

let isLeaving = false;

/**
 * Leaves the page to renew a person's session without questions, once for each session, unless the person has signed
 * out or edits would be lost. Returns false if it stays.
 */
export function renewSilently(then: string): boolean {
  // Another request has found the session ended, too: going elsewhere now would stop the browser from leaving.
  if (isLeaving) return true;
  const isExpected = [sessionStorage, localStorage].every((storage) => storage.getItem(key) !== null);
  if (!isExpected || hasDraft()) return false;
  sessionStorage.removeItem(key);
  isLeaving = true;
  location.assign(signInUrl(then, "silent"));
  return true;
}
