import { queryOptions } from "@tanstack/react-query";
import { draftKey, queryClient } from "./query-client.ts";
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

/** True while this tab has edits that would be lost if it left the page. */
export const hasDraft = (): boolean => queryClient.getQueriesData({ queryKey: [draftKey] }).length > 0;

const wasPerson = "lading-person";

export const rememberPerson = (): void => sessionStorage.setItem(wasPerson, "yes");

export const forgetPerson = (): void => sessionStorage.removeItem(wasPerson);

/**
 * Leaves the page to renew a person's session without questions, once for each session, unless edits would be lost.
 * Returns false if it stays.
 */
export function renewSilently(then: string): boolean {
  if (sessionStorage.getItem(wasPerson) === null || hasDraft()) return false;
  forgetPerson();
  location.assign(signInUrl(then, "silent"));
  return true;
}
