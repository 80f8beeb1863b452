import { useEffect, useState } from "react";
import { classNames } from "../class-names.ts";
import styles from "./id.module.css";

/** `01a20944c3130000e86f4d1d` → `01a20944…4d1d`; up to 14 characters are kept whole. */
export const shortId = (id: string) => (id.length <= 14 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`);

export function Id({ id, name = "id" }: { id: string; name?: string }) {
  return (
    <span className={styles.id}>
      <span title={id}>{shortId(id)}</span>
      <Copy text={id} name={name} />
    </span>
  );
}

export function Command({ text }: { text: string }) {
  return (
    <span className={styles.command}>
      <code>{text}</code>
      <Copy text={text} name="command" />
    </span>
  );
}

/** A button that copies a text; `name` is what its accessible name says, `label` what is shown of that. */
export function Copy({ text, name, label }: { text: string; name: string; label?: string }) {
  const [outcome, setOutcome] = useState<"Copied" | "Not copied">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome("Copied"),
      () => setOutcome("Not copied"),
    );
  return (
    <button
      type="button"
      className={classNames(styles.copy, label && styles.named)}
      aria-label={`Copy ${name}`}
      title={outcome ?? `Copy ${name}`}
      onClick={copy}
    >
      <svg viewBox="0 0 14 14" fill="none" stroke="currentColor" strokeWidth="1.3" aria-hidden="true">
        {outcome === "Copied" ? (
          <path d="m2.5 7.5 3 3 6-7" />
        ) : outcome === "Not copied" ? (
          <path d="m3 3 8 8m0-8-8 8" />
        ) : (
          <path d="M5 4.5V2.2h6.8V9H9.5M2.2 5H9v6.8H2.2z" />
        )}
      </svg>
      {label}
      <span role="status" className="visually-hidden">
        {outcome}
      </span>
    </button>
  );
}
