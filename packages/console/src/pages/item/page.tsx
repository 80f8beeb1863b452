import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { Empty, ErrorNote, Skeleton } from "../../ui/feedback/feedback.tsx";
import { buttonClass } from "../../ui/input/button.tsx";
import { Tabs } from "../../ui/input/tabs.tsx";
import { Id } from "../../ui/values/id.tsx";
import { ItemLink } from "../browse-model/item-link.tsx";
import { tenantLanguagesQuery } from "../browse-model/tenant-languages.ts";
import { versions } from "../browse-model/words.ts";
import { Components } from "./components.tsx";
import { itemDocument, type ShownItem } from "./documents.ts";
import { ItemFacts } from "./facts.tsx";
import styles from "./item.module.css";
import { Languages } from "./languages.tsx";
import { Unpublished, unpublishedParts } from "./unpublished.tsx";
import { Variants } from "./variants.tsx";

const route = getRouteApi("/@{$tenant}/browse/items/$item");

/** An item: its languages, and its content in one of them, draft or published. */
function ItemPage() {
  const { tenant } = route.useParams();
  const { language } = route.useSearch();
  const { data, error, refetch } = useQuery(tenantLanguagesQuery(tenant));
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={12} />;
  return (
    <div className={styles.page}>
      <ItemInLanguage languages={data.languages} language={language ?? data.language} />
    </div>
  );
}

function ItemInLanguage({ languages, language }: { languages: readonly string[]; language: string }) {
  const { item: id } = route.useParams();
  const { version = "draft" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: item, error, refetch } = useItem(language, version);
  const { data: draft } = useItem(language, "draft");
  const { data: published } = useItem(language, "published");
  const changed = draft && published ? unpublishedParts(draft, published) : [];
  const panel =
    error !== null ? (
      <Missing error={error} version={version} onRetry={() => void refetch()} />
    ) : item === undefined ? (
      <Skeleton lines={10} />
    ) : (
      <ItemParts item={item} language={language} />
    );
  return (
    <>
      <ItemHead item={item ?? draft} language={language} />
      <Languages id={id} languages={languages} language={language} isChanged={changed.length > 0} />
      <Unpublished parts={changed} />
      <Tabs
        value={version}
        onChange={(chosen) =>
          void navigate({ search: (now) => ({ ...now, version: chosen }), replace: true })
        }
        tabs={versions.map((name) => ({ name, label: tabWords[name], panel }))}
      />
    </>
  );
}

const tabWords = { draft: "Draft", published: "Published" };

function useItem(language: string, version: (typeof versions)[number]) {
  const { tenant, item: id } = route.useParams();
  return useQuery({
    queryKey: ["item", tenant, id, language, version],
    queryFn: async ({ signal }) =>
      success((await request(tenant, itemDocument, { id, language, version }, signal)).item),
  });
}

function Missing({ error, version, onRetry }: { error: unknown; version: string; onRetry: () => void }) {
  const isThere = !(
    error instanceof Error &&
    "errorName" in error &&
    error.errorName === "ItemNotFoundError"
  );
  if (isThere || version === "draft") return <ErrorNote error={error} onRetry={onRetry} />;
  return (
    <Empty title="Not published in this language">
      An operation such as item/publish publishes the draft.
    </Empty>
  );
}

function ItemHead({ item, language }: { item: ShownItem | undefined; language: string }) {
  const { tenant, item: id } = route.useParams();
  const folder = item?.type === "folder" ? id : item?.tree?.parentId;
  return (
    <header className={styles.head}>
      <nav className={styles.title} aria-label="Breadcrumb">
        <Link to="/@{$tenant}/browse" params={{ tenant }} search={{ language }}>
          Items
        </Link>
        {item?.parent && <ItemLink id={item.parent.id} name={item.parent.name} language={language} isStop />}
        <h1>{item?.name ?? "Item"}</h1>
        <Id id={id} />
      </nav>
      {folder && (
        <Link
          to="/@{$tenant}/browse"
          params={{ tenant }}
          search={{ language, folder }}
          className={buttonClass()}
        >
          {item?.type === "folder" ? "Items in this folder" : "Its folder"}
        </Link>
      )}
    </header>
  );
}

function ItemParts({ item, language }: { item: ShownItem; language: string }) {
  return (
    <div className={styles.parts}>
      <ItemFacts item={item} language={language} />
      {"variants" in item && <Variants variants={item.variants} />}
      <section className={styles.part}>
        <h2>Components</h2>
        {item.components.length === 0 ? (
          <p className={styles.muted}>No component has content in this language and version.</p>
        ) : (
          <Components components={item.components} />
        )}
      </section>
    </div>
  );
}

export const page = createLazyRoute("/@{$tenant}/browse/items/$item")({ component: ItemPage });
