import { useQueries } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { VersionState } from "../browse-model/version-state.tsx";
import { versionsDocument } from "./documents.ts";
import styles from "./item.module.css";

const route = getRouteApi("/@{$tenant}/browse/items/$item");

/** The languages of the tenant, each with the state of the item in it; one of them is shown. */
export function Languages({
  id,
  languages,
  language,
}: {
  id: string;
  languages: readonly string[];
  language: string;
}) {
  const { tenant } = route.useParams();
  const answers = useQueries({
    queries: languages.map((code) => ({
      queryKey: ["item", tenant, id, code, "versions"],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        success((await request(tenant, versionsDocument, { id, language: code }, signal)).item),
    })),
  });
  return (
    <ul className={styles.languages} aria-label="Languages">
      {languages.map((code, place) => (
        <li key={code}>
          <Link
            from="/@{$tenant}/browse/items/$item"
            search={(now) => ({ ...now, language: code })}
            aria-current={code === language ? "true" : undefined}
          >
            <strong>{code}</strong>
            <LanguageState versions={answers[place]?.data?.availableVersions} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Versions = Parameters<typeof VersionState>[0]["versions"];

const LanguageState = ({ versions }: { versions: Versions | undefined }) =>
  versions === undefined ? <span aria-hidden="true">…</span> : <VersionState versions={versions} />;
