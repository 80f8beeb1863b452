import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { hasDraft } from "../../api/drafts.ts";
import { signInUrl } from "../../api/person.ts";
import { sessionQuery, signOutAtProvider } from "../../api/session.ts";
import { classNames } from "../../ui/class-names.ts";
import { buttonClass } from "../../ui/input/button.tsx";
import styles from "./sign-in.module.css";

interface PersonSignInProps {
  provider: { name: string; isAway: boolean };
  then: string | undefined;
}

/** Signs in as a person at the identity provider. */
export function PersonSignIn({ provider: { name, isAway }, then }: PersonSignInProps) {
  const waits = then !== undefined && hasDraft();
  const signOutUrl = signOutAtProvider();
  return (
    <div className={styles.form}>
      <h1>Sign in</h1>
      {then !== undefined && <SessionEnd />}
      {isAway && (
        <p role="status">
          <bdi>{name}</bdi> could not be reached. Try again later, or sign in with an access token.
        </p>
      )}
      <p>
        {/* Another tab, if leaving this one would lose edits. */}
        <a
          className={classNames(buttonClass("primary"), styles.way)}
          href={signInUrl(then, waits ? "tab" : undefined)}
          {...(waits && { target: "_blank" })}
        >
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

/** Said to a reader whose page led here. */
export const SessionEnd = () => (
  <p>You are not signed in, or your session has ended. Sign in to return to your page.</p>
);

/** Opens the page that led here when another tab has signed in to its tenant. */
export function useReturn(tenant: string | undefined, then: string | undefined): void {
  const router = useRouter();
  const isWaiting = tenant !== undefined && then !== undefined;
  const { data } = useQuery({ ...sessionQuery, enabled: isWaiting, refetchOnWindowFocus: "always" });
  const isSignedIn = data?.tenants.some(({ identifier }) => identifier === tenant) ?? false;
  useEffect(() => {
    if (isWaiting && isSignedIn && then?.startsWith(`/@${tenant}/`)) router.history.push(`/console${then}`);
  }, [isWaiting, isSignedIn, tenant, then, router]);
}
