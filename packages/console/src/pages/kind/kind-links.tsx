import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import styles from "../../ui/input/input.module.css";
import { titleOfKind } from "./kind.ts";
import { isKindWord, kindTables } from "./kinds.tsx";

/** Links to a tenant's items and its other kinds. */
export function KindLinks() {
  const tenant = useTenant();
  return (
    <nav className={styles.tabs} aria-label="Kinds">
      <Link
        className={styles.tab}
        to="/@{$tenant}/browse"
        params={{ tenant }}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        Items
      </Link>
      {Object.keys(kindTables)
        .filter(isKindWord)
        .map((kind) => (
          <Link
            className={styles.tab}
            key={kind}
            to="/@{$tenant}/browse/$kind"
            params={{ tenant, kind }}
            activeOptions={{ includeSearch: false }}
          >
            {titleOfKind(kind)}
          </Link>
        ))}
    </nav>
  );
}
