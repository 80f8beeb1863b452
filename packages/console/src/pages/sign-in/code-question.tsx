import type { FormEvent } from "react";
import { Brand } from "../../layout/tenant-frame.tsx";
import { Button } from "../../ui/input/button.tsx";
import styles from "./sign-in.module.css";

interface CodeQuestionProps {
  tenant: string;
  onDecide(isWanted: boolean): void;
}

/** Asks before a code is used: the link that brought it may be somebody else's, and lead to a tenant of theirs. */
export function CodeQuestion({ tenant, onDecide }: CodeQuestionProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDecide(true);
  };
  return (
    <main className={styles.page}>
      <Brand />
      <form className={styles.form} onSubmit={submit}>
        <h1>
          Sign in to <code>{tenant}</code>?
        </h1>
        <p>
          A link opened this page to sign this browser in to the tenant <code>{tenant}</code> at{" "}
          {location.host}. Go on if you asked for it with <code>lading console</code>. In somebody else’s
          tenant, what you upload is theirs.
        </p>
        <div className={styles.buttons}>
          {/* Enter answers, unless it is held down since the page before: a stranger's may have asked for that. */}
          <Button
            type="submit"
            kind="primary"
            autoFocus
            onKeyDown={(event) => event.repeat && event.preventDefault()}
          >
            Sign in to {tenant}
          </Button>
          <Button onClick={() => onDecide(false)}>Do not sign in</Button>
        </div>
      </form>
    </main>
  );
}
