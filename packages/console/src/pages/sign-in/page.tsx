import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { forgetCode, waitingCode } from "../../api/one-time-code.ts";
import { providerQuery } from "../../api/person.ts";
import { type Credentials, sessionQuery, signIn } from "../../api/session.ts";
import { firstPage, useStay } from "../../layout/navigation.ts";
import { Brand } from "../../layout/tenant-frame.tsx";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { Button } from "../../ui/input/button.tsx";
import { Field } from "../../ui/input/field.tsx";
import { Command } from "../../ui/values/id.tsx";
import { CodeQuestion } from "./code-question.tsx";
import { PersonSignIn, SessionEnd, useReturn } from "./person.tsx";
import styles from "./sign-in.module.css";

const route = getRouteApi("/sign-in");

/** Signs in to a tenant, by a token or, once confirmed, by the URL's one-time code. */
function SignInPage() {
  const { tenant, then } = route.useSearch();
  const entry = useSignIn();
  const provider = useQuery(providerQuery).data?.provider ?? undefined;
  useReturn(tenant, then);
  const [code, setCode] = useState(waitingCode);
  if (code !== undefined) {
    const decide = (isWanted: boolean) => {
      forgetCode();
      setCode(undefined);
      if (isWanted) entry.mutate(code);
    };
    return <CodeQuestion tenant={code.tenant} onDecide={decide} />;
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    entry.mutate(credentialsOf(new FormData(event.currentTarget)));
  };
  return (
    <main className={styles.page}>
      <Brand />
      {provider !== undefined && <PersonSignIn provider={provider} then={then} />}
      <form className={styles.form} onSubmit={submit}>
        {provider === undefined ? <h1>Sign in to a tenant</h1> : <h2>Or with an access token</h2>}
        {provider === undefined && then !== undefined && <SessionEnd />}
        <Field label="Tenant" name="tenant" defaultValue={tenant} required autoComplete="organization" />
        <Field label="Token id" name="accessTokenId" required autoComplete="username" spellCheck={false} />
        <Field
          label="Secret"
          name="accessTokenSecret"
          type="password"
          required
          autoComplete="current-password"
        />
        {entry.error !== null && <ErrorNote error={entry.error} />}
        <Button type="submit" kind={provider === undefined ? "primary" : undefined} isBusy={entry.isPending}>
          {provider === undefined ? "Sign in" : "Sign in with a token"}
        </Button>
      </form>
      <div className={styles.hint}>
        <p>Create a token with the first command, or sign in directly with the second:</p>
        <Command text={`lading token create ${tenant ?? "<tenant>"} --name console`} />
        <Command text={`lading console ${tenant ?? "<tenant>"}`} />
      </div>
    </main>
  );
}

/** Opens a session, and goes to the requested page if the session holds its tenant. */
function useSignIn() {
  const { then } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const stay = useStay();
  return useMutation({
    mutationFn: async (given: Credentials) => {
      const isHere = stay();
      return { ...(await signIn(given)), isHere };
    },
    onSuccess: async ({ opened, tenants, isHere }) => {
      queries.setQueryData(sessionQuery.queryKey, { tenants });
      if (!isHere()) return;
      if (then?.startsWith(`/@${opened}/`)) return router.history.push(`/console${then}`);
      await router.navigate({ to: firstPage, params: { tenant: opened } });
    },
  });
}

function credentialsOf(form: FormData): Credentials {
  const [tenant = "", accessTokenId = "", accessTokenSecret = ""] = [
    "tenant",
    "accessTokenId",
    "accessTokenSecret",
  ].map((name) => String(form.get(name) ?? "").trim());
  return { tenant, accessTokenId, accessTokenSecret };
}

export const page = createLazyRoute("/sign-in")({ component: SignInPage });
