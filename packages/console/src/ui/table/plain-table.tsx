import type { ReactNode } from "react";
import styles from "./table.module.css";

export const HeadRow = ({ names }: { names: readonly string[] }) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

/** A table that scrolls sideways where it is too wide. */
export const WideTable = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard.
  <section className={styles.wide} tabIndex={0} aria-label={label}>
    <table>{children}</table>
  </section>
);
