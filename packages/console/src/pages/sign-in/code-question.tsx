import type { FormEvent } from "react";
import { Brand } from "../../layout/tenant-frame.tsx";
import { Button } from "../../ui/input/button.tsx";
import styles from "./sign-in.module.css";

interface CodeQuestionProps {
  tenant: string;
  onDecide(isWanted: boolean): void;
}

/** Asks before a code is used: the link may come from somebody else, and lead to their tenant. */
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
          {location.host}. Continue only if you requested it with <code>lading console</code>. The owner of
          the tenant can see what you upload to it.
        </p>
        <div className={styles.buttons}>
          {/* Enter confirms, unless held down since the previous page: another site may have prompted for it. */}
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
