import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouter, useRouterState } from "@tanstack/react-router";
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { useConnection } from "../api/connection.ts";
import { draftKey } from "../api/drafts.ts";
import {
  sessionQuery,
  signOut,
  signOuts,
  useHasSessionEnded,
  usePersonName,
  useTenant,
} from "../api/session.ts";
import { SearchButton, SearchDialog, useSearch } from "../search/search.tsx";
import { classNames } from "../ui/class-names.ts";
import { Button } from "../ui/input/button.tsx";
import inputStyles from "../ui/input/input.module.css";
import { State } from "../ui/values/state.tsx";
import { Elapsed } from "../ui/values/time.tsx";
import { useFileDrop } from "./dropped-file.ts";
import { EndNotifications, watchNothing } from "./end-notification.tsx";
import styles from "./frame.module.css";
import { firstPage, useNavigation } from "./navigation.ts";
import { NewVersion } from "./new-version.tsx";
import { ThemeChoice } from "./theme.tsx";

/** The frame of every page of a tenant: the tenant, the pages, and the state of the connection. */
export function TenantFrame() {
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(main);
  useSessionEnd();
  const isFileOver = useFileDrop();
  const search = useSearch();
  const leave = useSignOut();
  const person = usePersonName();
  return (
    <div className={styles.frame}>
      <nav className={styles.nav} aria-label="Console">
        <Brand />
        <TenantSwitch />
        <SearchButton onClick={search.open} />
        <Pages />
        <div className={styles.foot}>
          <ThemeChoice />
          {person !== undefined && (
            <span className={styles.person} title={person}>
              <bdi>{person}</bdi>
            </span>
          )}
          <Button
            kind="plain"
            title={person && `Signed in as ${person}`}
            isBusy={leave.isPending}
            onClick={() => leave.mutate()}
          >
            Sign out
          </Button>
        </div>
      </nav>
      <main ref={main} tabIndex={-1} className={styles.main}>
        <Away />
        <NewVersion />
        <div className={styles.content}>
          <Outlet />
        </div>
      </main>
      {search.isOpen && <SearchDialog main={main} onClose={search.close} onSignOut={() => leave.mutate()} />}
      <EndNotifications />
      {isFileOver && <div className={styles.over}>Drop the file to open it</div>}
    </div>
  );
}

/** Leads to a sign-in when the session turns out to have ended, also from a page that asks for nothing else. */
function useSessionEnd(): void {
  const router = useRouter();
  const hasEnded = useHasSessionEnded();
  useEffect(() => {
    if (hasEnded) void router.invalidate();
  }, [hasEnded, router]);
}

/** Moves focus to the new page's content when the focused element is gone, so Tab continues from there. */
function useFocusOnNewPage(main: RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    const isAnother = shown.current !== undefined && shown.current !== path;
    shown.current = path;
    if (isAnother && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [main, path]);
}

export const Brand = () => (
  <span className={styles.brand}>
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill="var(--accent)" />
      <path
        d="M4 3.5v9h8.5M7.5 9.5h5m-5-3h5m-5-3h5"
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="1.6"
      />
    </svg>
    Lading
  </span>
);

const another = "+";

function TenantSwitch() {
  const tenant = useTenant();
  const navigate = useNavigate();
  const { data } = useQuery(sessionQuery);
  const change = (chosen: string) =>
    chosen === another
      ? navigate({ to: "/sign-in" })
      : navigate({ to: firstPage, params: { tenant: chosen } });
  return (
    <select
      className={classNames(inputStyles.control, styles.tenant)}
      aria-label="Tenant"
      value={tenant}
      onChange={(event) => void change(event.target.value)}
      onKeyDown={openPicker}
    >
      {(data?.tenants ?? [{ identifier: tenant }]).map(({ identifier }) => (
        <option key={identifier} value={identifier}>
          {identifier}
        </option>
      ))}
      {/* Not a valid tenant identifier. */}
      <option value={another}>Sign in to another …</option>
    </select>
  );
}

/** Opens the list for keys that would choose from the closed one: each choice leads to another page. */
function openPicker(event: KeyboardEvent<HTMLSelectElement>): void {
  const isModified = event.altKey || event.ctrlKey || event.metaKey;
  if (isModified || !/^(.|Arrow.*|Home|End|Page.*)$/u.test(event.key)) return;
  event.preventDefault();
  // Safari has no `showPicker`.
  event.currentTarget.showPicker?.();
}

function Pages() {
  return (
    <ul className={styles.pages}>
      {useNavigation().map(({ word, to }) => (
        <li key={to}>
          <Link to={to}>{word}</Link>
        </li>
      ))}
    </ul>
  );
}

/** Ends the whole session, so the next user of this browser is signed in to no tenant. */
function useSignOut() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const forget = useEffectEvent(async () => {
    queries.clear();
    await navigate({ to: "/" });
    // The page that was left may have kept something.
    queries.removeQueries({ queryKey: [draftKey] });
    watchNothing();
    sessionStorage.clear();
  });
  useEffect(() => {
    const onMessage = () => void forget();
    signOuts.addEventListener("message", onMessage);
    return () => signOuts.removeEventListener("message", onMessage);
  }, []);
  return useMutation({ mutationFn: signOut, onSuccess: forget });
}

/** Says that the service is unreachable or refuses requests; the data shown stays, and refreshes when it can. */
export function Away() {
  const { awaySince, refusal } = useConnection();
  return (
    <div role="status">
      {awaySince !== null && (
        <p className={styles.away}>
          <State shape="warning">Service unreachable</State>
          <span>
            for <Elapsed from={new Date(awaySince).toISOString()} to={null} />. This page may be out of date;
            it refreshes when the service is back.
          </span>
        </p>
      )}
      {awaySince === null && refusal !== null && (
        <p className={styles.away}>
          <State shape="warning">Too many requests</State>
          <span>{refusal} This page may be out of date; it refreshes automatically.</span>
        </p>
      )}
    </div>
  );
}
