import { useQueries } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { VersionState } from "../browse-model/version-state.tsx";
import { versionsDocument } from "./documents.ts";
import styles from "./item.module.css";

const route = getRouteApi("/@{$tenant}/browse/items/$item");

/** The tenant's languages, with the item's state in each; one is selected. */
export function Languages({
  id,
  languages,
  language,
  isChanged,
}: {
  id: string;
  languages: readonly string[];
  language: string;
  /** True if the draft of that language differs from the published version. */
  isChanged: boolean;
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
      {languages.map((code, i) => (
        <li key={code}>
          <Link
            from="/@{$tenant}/browse/items/$item"
            search={(now) => ({ ...now, language: code })}
            aria-current={code === language ? "true" : undefined}
          >
            <strong>{code}</strong>
            <LanguageState
              versions={answers[i]?.data?.availableVersions}
              isChanged={isChanged && code === language}
            />
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Version = Parameters<typeof VersionState>[0];

const LanguageState = ({ versions, isChanged = false }: Partial<Version>) =>
  versions === undefined ? (
    <span aria-hidden="true">…</span>
  ) : (
    <VersionState versions={versions} isChanged={isChanged} />
  );
