import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { Refused } from "../../api/errors.ts";
import { ErrorNote, Skeleton } from "../../ui/feedback/feedback.tsx";
import { tenantLanguagesQuery } from "../browse-model/tenant-languages.ts";
import styles from "./kind.module.css";
import { titleOfKind } from "./kind.ts";
import { KindLinks } from "./kind-links.tsx";
import { isKindWord, kindTables } from "./kinds.tsx";

const route = getRouteApi("/@{$tenant}/browse/$kind");

/** One kind of a tenant's data: a table of its rows, with the one named by the URL next to it. */
function KindPage() {
  const { tenant, kind } = route.useParams();
  const { language } = route.useSearch();
  const { data, error, refetch } = useQuery(tenantLanguagesQuery(tenant));
  return (
    <div className={styles.page}>
      <KindLinks />
      <h1 className="visually-hidden">{isKindWord(kind) ? titleOfKind(kind) : "Browse"}</h1>
      {error !== null ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : !isKindWord(kind) ? (
        <ErrorNote error={new Refused("NotFound", `There is no kind "${kind}"`)} />
      ) : data === undefined ? (
        <Skeleton lines={12} />
      ) : (
        kindTables[kind]({ scope: { tenant, language: language ?? data.language }, word: kind })
      )}
    </div>
  );
}

export const page = createLazyRoute("/@{$tenant}/browse/$kind")({ component: KindPage });
