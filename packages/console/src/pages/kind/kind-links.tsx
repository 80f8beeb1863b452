import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { titleOfKind } from "./kind.ts";
import styles from "./kind-links.module.css";
import { isKindWord, kindTables } from "./kinds.tsx";

/** Links to a tenant's items and its other kinds. */
export function KindLinks() {
  const tenant = useTenant();
  return (
    <nav className={styles.kinds} aria-label="Kinds">
      <Link to="/@{$tenant}/browse" params={{ tenant }} activeOptions={{ exact: true, includeSearch: false }}>
        Items
      </Link>
      {Object.keys(kindTables)
        .filter(isKindWord)
        .map((kind) => (
          <Link
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
