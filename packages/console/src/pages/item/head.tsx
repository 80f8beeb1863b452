import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { entitiesKey } from "../../api/query-client.ts";
import { request } from "../../api/request.ts";
import { AsOf } from "../../layout/as-of.tsx";
import { buttonClass } from "../../ui/input/button.tsx";
import { PageHead } from "../../ui/page/page.tsx";
import { type Language, LanguagePicker } from "../browse-model/language-picker.tsx";
import { ItemLink } from "../browse-model/links.tsx";
import { VersionState } from "../browse-model/states.tsx";
import { Name } from "../browse-model/stored.tsx";
import { languagesDocument, type ShownItem } from "./documents.ts";

const route = getRouteApi("/@{$tenant}/browse/items/$item");

interface ItemHeadProps {
  item: ShownItem | undefined;
  languages: readonly Language[];
  language: string;
  /** True if the draft of that language differs from the published version. */
  isChanged: boolean;
}

/** An item's name, and the choice of the languages to show. */
export function ItemHead({ item, languages, language, isChanged }: ItemHeadProps) {
  const { tenant, item: id } = route.useParams();
  const { second } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useLanguages(language);
  const folder = item?.type === "folder" ? id : item?.tree?.parentId;
  const choose = (chosen: { language?: string | undefined; second?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...chosen }), replace: true });
  const mark = (code: string) =>
    found && (
      <VersionState
        versions={found.languages.find((each) => each.language === code)?.availableVersions ?? []}
        isChanged={isChanged && code === language}
      />
    );
  const name = item?.displayName ?? found?.displayName ?? null;
  return (
    <PageHead
      crumbs={
        <>
          <Link to="/@{$tenant}/browse" params={{ tenant }} search={{ language }}>
            Items
          </Link>
          {item?.parent?.displayName && (
            <ItemLink id={item.parent.id} name={item.parent.displayName} language={language} isStop />
          )}
        </>
      }
      title={found === undefined && name === null ? "Item" : <Name name={name} language={language} id={id} />}
    >
      {folder && (
        <Link
          to="/@{$tenant}/browse"
          params={{ tenant }}
          search={{ language, folder }}
          className={buttonClass()}
        >
          {item?.type === "folder" ? "Open folder" : "Parent folder"}
        </Link>
      )}
      <LanguagePicker
        label="Language"
        languages={languages}
        value={language}
        mark={mark}
        onChange={(code) => choose({ language: code })}
      />
      {languages.length > 1 && (
        <LanguagePicker
          label="Compare with"
          languages={languages}
          value={second}
          none="none"
          mark={mark}
          onChange={(code) => choose({ second: code })}
        />
      )}
      <AsOf />
    </PageHead>
  );
}

/** The versions of the item in each language. */
function useLanguages(language: string) {
  const { tenant, item: id } = route.useParams();
  const { data } = useQuery({
    queryKey: [entitiesKey, tenant, "item", id, "languages", language],
    queryFn: async ({ signal }) =>
      success((await request(tenant, languagesDocument, { id, language }, signal)).item),
  });
  return data;
}
