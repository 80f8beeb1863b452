import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { AsOf } from "../../layout/as-of.tsx";
import { Pending } from "../../layout/page-states.tsx";
import { usePageTitle } from "../../layout/page-title.ts";
import { Choice, FilterText } from "../../ui/input/field.tsx";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { type Language, LanguagePicker } from "../browse-model/language-picker.tsx";
import { tenantLanguagesQuery } from "../browse-model/tenant-languages.ts";
import { type SearchKind, searchKinds } from "../browse-model/words.ts";
import { ExportLink } from "../export/link.tsx";
import { wordOfKind } from "../kind/kind.ts";
import { KindLinks } from "../kind/kind-links.tsx";
import styles from "./browse.module.css";
import { FolderItems } from "./folder-items.tsx";
import { FolderTree } from "./folder-tree.tsx";
import { Hits } from "./hits.tsx";

const route = getRouteApi("/@{$tenant}/browse");

/** A tenant's items: the folder tree with one folder's items, or the hits of a search. */
function BrowsePage() {
  const tenant = useTenant();
  const { text, kind, folder, language } = route.useSearch();
  const query = useQuery(tenantLanguagesQuery(tenant));
  usePageTitle(text === undefined ? undefined : `Search: ${text}`);
  const { data } = query;
  if (query.error !== null || data === undefined)
    return <Pending query={query} title="The items cannot be shown" />;
  const shown = language ?? data.language;
  return (
    <Page isFlush>
      <KindLinks />
      <BrowseHead languages={data.languages} language={shown} folder={folder ?? data.rootItemId} />
      {text === undefined ? (
        <div className={styles.panes}>
          <FolderTree root={data.rootItemId} open={folder ?? data.rootItemId} language={shown} />
          <FolderItems
            key={folder}
            folder={folder ?? data.rootItemId}
            root={data.rootItemId}
            language={shown}
          />
        </div>
      ) : (
        <Hits key={`${kind} ${text}`} text={text} kind={kind} language={shown} />
      )}
    </Page>
  );
}

interface BrowseHeadProps {
  languages: readonly Language[];
  language: string;
  folder: string;
}

function BrowseHead({ languages, language, folder }: BrowseHeadProps) {
  const tenant = useTenant();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: Partial<typeof filter>) =>
    void navigate({ search: { ...filter, ...changed }, replace: true });
  return (
    <PageHead
      className={styles.head}
      title={
        <Link to="/@{$tenant}/browse" params={{ tenant }}>
          Items
        </Link>
      }
    >
      <FilterText
        label="Search"
        placeholder="name, SKU or identifier"
        value={filter.text}
        isFirst
        onChange={(text) => change({ text })}
      />
      {filter.text !== undefined && (
        <Choice
          label="Kind"
          value={filter.kind}
          options={searchKinds}
          onChange={(kind) => change({ kind })}
        />
      )}
      <LanguagePicker
        label="Language"
        languages={languages}
        value={language}
        onChange={(chosen) => change({ language: chosen })}
      />
      <ExportLink
        kind={exportedAs(filter.kind)}
        search={filter.text === undefined ? { folder, language } : { text: filter.text, language }}
      />
      <AsOf />
    </PageHead>
  );
}

/** The kind to export of a search's hits, or of a folder's items. */
const exportedAs = (kind: SearchKind | undefined) =>
  kind === undefined || kind === "item" ? "products" : wordOfKind(kind);

export const page = createLazyRoute("/@{$tenant}/browse")({ component: BrowsePage });
