import type { ReactNode } from "react";
import { shortId } from "../../ui/values/id.tsx";
import styles from "./browse-model.module.css";

/** A text that the tenant stores, in the direction of its script. */
export const Stored = ({ children, lang }: { children: ReactNode; lang?: string | undefined }) => (
  <span dir="auto" lang={lang} className={styles.stored}>
    {children}
  </span>
);

/** As Core's `displayName`: a name, and the language it is in. */
export interface DisplayName {
  name: string;
  language: string;
}

interface NameProps {
  name: DisplayName | null;
  /** The language asked for: a name in another one is marked with its code. */
  language: string | undefined;
  /** Shown where nothing has a name. */
  id: string;
}

/** The name of an item, a variant or a topic; its id if it has none in any language. */
export const Name = ({ name, language, id }: NameProps) =>
  name === null ? (
    <code title={id}>{shortId(id)}</code>
  ) : (
    <span className={styles.name}>
      <Stored lang={name.language}>{name.name}</Stored>
      {name.language !== language && language !== undefined && (
        <span className={styles.code} title={`No name in ${language}`}>
          {name.language}
        </span>
      )}
    </span>
  );
