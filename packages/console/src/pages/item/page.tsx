import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { Refused, success } from "../../api/errors.ts";
import { entitiesKey } from "../../api/query-client.ts";
import { request } from "../../api/request.ts";
import { Pending } from "../../layout/page-states.tsx";
import { usePageTitle } from "../../layout/page-title.ts";
import { Empty } from "../../ui/feedback/feedback.tsx";
import { Tabs } from "../../ui/input/tabs.tsx";
import { Page } from "../../ui/page/page.tsx";
import { Diff, type ValueChange } from "../../ui/values/diff.tsx";
import { AsJson, Part } from "../browse-model/facts.tsx";
import type { Language } from "../browse-model/language-picker.tsx";
import { tenantLanguagesQuery } from "../browse-model/tenant-languages.ts";
import type { versions } from "../browse-model/words.ts";
import { Components } from "./components.tsx";
import { differences } from "./differences.ts";
import { itemDocument, type ShownItem } from "./documents.ts";
import { ItemFacts } from "./facts.tsx";
import { ItemHead } from "./head.tsx";
import styles from "./item.module.css";
import { Variants } from "./variants.tsx";

const route = getRouteApi("/@{$tenant}/browse/items/$item");

type Version = (typeof versions)[number];

/** An item in one or two languages: its draft, what is published, and where they differ. */
function ItemPage() {
  const { tenant } = route.useParams();
  const { language } = route.useSearch();
  const query = useQuery(tenantLanguagesQuery(tenant));
  const { data } = query;
  if (data === undefined) return <Pending query={query} title="This item cannot be shown" />;
  return <ItemInLanguage languages={data.languages} language={language ?? data.language} />;
}

function ItemInLanguage({ languages, language }: { languages: readonly Language[]; language: string }) {
  const { version = "draft" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: draft } = useItem(language, "draft");
  const { data: published } = useItem(language, "published");
  usePageTitle(draft?.displayName?.name);
  const changes = draft && published ? differences(published, draft) : [];
  return (
    <Page className={styles.item}>
      <ItemHead item={draft} languages={languages} language={language} isChanged={changes.length > 0} />
      <Tabs
        value={version}
        onChange={(chosen) =>
          void navigate({ search: (now) => ({ ...now, version: chosen }), replace: true })
        }
        tabs={[
          { name: "draft", label: "Draft", panel: <Columns language={language} version="draft" /> },
          {
            name: "published",
            label: "Published",
            panel: <Columns language={language} version="published" />,
          },
          {
            name: "changes",
            label: changes.length > 0 ? `Unpublished changes (${changes.length})` : "Unpublished changes",
            panel: <Changes changes={changes} isPublished={published !== undefined} />,
          },
        ]}
      />
    </Page>
  );
}

function Changes({ changes, isPublished }: { changes: readonly ValueChange[]; isPublished: boolean }) {
  if (!isPublished) return <NotPublished />;
  if (changes.length === 0) return <Empty title="No unpublished changes" />;
  return (
    <div className={styles.changes}>
      <Diff caption="Published (before) and draft (after)" changes={changes} withAfter />
    </div>
  );
}

const NotPublished = () => (
  <Empty title="Not published in this language">An operation such as item/publish publishes the draft.</Empty>
);

function useItem(language: string, version: Version) {
  const { tenant, item: id } = route.useParams();
  return useQuery({
    queryKey: [entitiesKey, tenant, "item", id, language, version],
    queryFn: async ({ signal }) =>
      success((await request(tenant, itemDocument, { id, language, version }, signal)).item),
  });
}

/** The item in the chosen language, and in the second one. */
function Columns({ language, version }: { language: string; version: Version }) {
  const { second } = route.useSearch();
  if (second === undefined || second === language) return <Column language={language} version={version} />;
  return (
    <div className={styles.columns}>
      {[language, second].map((code) => (
        <section key={code} aria-label={code}>
          <h2 className={styles.language}>
            <code>{code}</code>
          </h2>
          <Column language={code} version={version} />
        </section>
      ))}
    </div>
  );
}

function Column({ language, version }: { language: string; version: Version }) {
  const query = useItem(language, version);
  const { data: item, error } = query;
  const isMissing = error instanceof Refused && error.errorName === "ItemNotFoundError";
  if (isMissing && version === "published") return <NotPublished />;
  if (item === undefined) return <Pending query={query} />;
  return <ItemParts item={item} language={language} version={version} />;
}

function ItemParts({ item, language, version }: { item: ShownItem; language: string; version: Version }) {
  const { sku } = route.useSearch();
  return (
    <div className={styles.parts}>
      <ItemFacts item={item} language={language} version={version} />
      {"variants" in item && <Variants variants={item.variants} language={language} chosen={sku} />}
      <Part title="Components">
        {item.components.length === 0 ? (
          <p className="muted">No content in this language and version.</p>
        ) : (
          <Components components={item.components} />
        )}
      </Part>
      <AsJson value={item} />
    </div>
  );
}

export const page = createLazyRoute("/@{$tenant}/browse/items/$item")({ component: ItemPage });
