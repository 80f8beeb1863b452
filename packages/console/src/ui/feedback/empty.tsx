import type { ReactNode } from "react";
import { Command } from "../values/id.tsx";
import styles from "./feedback.module.css";

/** A list without entries: the reason, and a command that would change it. */
export function Empty({
  title,
  children,
  command,
}: {
  title: string;
  children?: ReactNode;
  command?: string;
}) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <Command text={command} />}
    </div>
  );
}
