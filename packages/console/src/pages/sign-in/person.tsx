import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { hasDraft, providerQuery, signInUrl } from "../../api/person.ts";
import { sessionQuery, signOutAtProvider } from "../../api/session.ts";
import styles from "./sign-in.module.css";

interface PersonSignInProps {
  tenant: string | undefined;
  then: string | undefined;
}

/** Signs in as a person at the identity provider, if there is one. */
export function PersonSignIn({ tenant, then }: PersonSignInProps) {
  const provider = useQuery(providerQuery).data?.provider ?? undefined;
  const waits = then !== undefined && hasDraft();
  useReturn(waits ? tenant : undefined, then);
  if (provider === undefined) return null;
  const { name, isAway } = provider;
  const signOutUrl = signOutAtProvider();
  return (
    <div className={styles.form}>
      <h1>Sign in as a person</h1>
      {isAway && (
        <p role="status">
          <bdi>{name}</bdi> could not be reached. Try again later, or sign in with an access token.
        </p>
      )}
      <p>
        {/* Another tab, if leaving this one would lose edits. */}
        <a href={signInUrl(then, waits ? "tab" : undefined)} {...(waits && { target: "_blank" })}>
          Sign in with <bdi>{name}</bdi>
        </a>
      </p>
      {waits && (
        <p>It opens in another tab. This one keeps your edits, and continues when you return to it.</p>
      )}
      {signOutUrl !== undefined && (
        <p>
          You have signed out here.{" "}
          <a href={signOutUrl}>
            Sign out of <bdi>{name}</bdi>, too
          </a>
        </p>
      )}
    </div>
  );
}

/** Opens the page when another tab has signed in to its tenant. */
function useReturn(tenant: string | undefined, then: string | undefined): void {
  const router = useRouter();
  const isWaiting = tenant !== undefined;
  const { data } = useQuery({ ...sessionQuery, enabled: isWaiting, refetchOnWindowFocus: "always" });
  const isSignedIn = data?.tenants.some(({ identifier }) => identifier === tenant) ?? false;
  useEffect(() => {
    if (isWaiting && isSignedIn && then?.startsWith(`/@${tenant}/`)) router.history.push(`/console${then}`);
  }, [isWaiting, isSignedIn, tenant, then, router]);
}
