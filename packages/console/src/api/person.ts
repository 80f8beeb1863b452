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

/** Time after which a browser that has not left the page is taken to stay, in milliseconds. */
const longestLeave = 15_000;

let leaving: Promise<void> | undefined;

/**
 * Leaves the page to renew a person's session without questions, once for each session, unless the person has signed
 * out or edits would be lost. Ends if it stays: going elsewhere before would stop the browser from leaving.
 */
export async function renewSilently(then: string): Promise<void> {
  const isExpected = [sessionStorage, localStorage].every((storage) => storage.getItem(key) !== null);
  if (leaving === undefined && isExpected && !hasDraft()) {
    sessionStorage.removeItem(key);
    location.replace(signInUrl(then, "silent"));
    leaving = new Promise<void>((resolve) => setTimeout(resolve, longestLeave)).finally(() => {
      leaving = undefined;
    });
  }
  await leaving;
}
