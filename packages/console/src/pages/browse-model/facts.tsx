import { type ReactNode, useState } from "react";
import { Json } from "../../ui/values/json.tsx";
import styles from "./browse-model.module.css";
import { Stored } from "./stored.tsx";

/** Short values of an entity, each below its name. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>;

/** One of `Facts`; left out without a value. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) =>
  children !== null &&
  children !== undefined &&
  children !== "" && (
    <div>
      <dt>{name}</dt>
      <dd>{typeof children === "string" ? <Stored>{children}</Stored> : children}</dd>
    </div>
  );

/** A part of an entity's page, below its heading. */
export const Part = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <section className={styles.part}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** Pairs that the tenant stores with an entity; nothing without any. */
export const KeyValues = ({
  title,
  pairs,
}: {
  title: string;
  pairs: readonly { key: string; value: string | null }[] | null;
}) =>
  pairs !== null &&
  pairs.length > 0 && (
    <Part title={title}>
      <Facts>
        {pairs.map(({ key, value }) => (
          <Fact key={key} name={key}>
            {value || "–"}
          </Fact>
        ))}
      </Facts>
    </Part>
  );

/** An entity as the API answers it, behind a disclosure. */
export function AsJson({ value }: { value: unknown }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.json} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>All fields as JSON</summary>
      {isOpen && <Json value={value} name="All fields" />}
    </details>
  );
}
