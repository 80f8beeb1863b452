import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { Refused } from "../../api/errors.ts";
import { AsOf } from "../../layout/as-of.tsx";
import { Pending } from "../../layout/page-states.tsx";
import { usePageTitle } from "../../layout/page-title.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { LanguagePicker } from "../browse-model/language-picker.tsx";
import { tenantLanguagesQuery } from "../browse-model/tenant-languages.ts";
import { ExportLink } from "../export/link.tsx";
import { titleOfKind } from "./kind.ts";
import { KindLinks } from "./kind-links.tsx";
import { inLanguage, isKindWord, kindTables } from "./kinds.tsx";

const route = getRouteApi("/@{$tenant}/browse/$kind");

/** One kind of a tenant's data: a table of its rows, with the one named by the URL next to it. */
function KindPage() {
  const { tenant, kind } = route.useParams();
  const { language } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(tenantLanguagesQuery(tenant));
  const { data } = query;
  const title = isKindWord(kind) ? titleOfKind(kind) : "Browse";
  usePageTitle(title);
  const shown = language ?? data?.language;
  return (
    <Page isFlush>
      <KindLinks />
      <PageHead title={title}>
        {data !== undefined && inLanguage(kind) && (
          <LanguagePicker
            label="Language"
            languages={data.languages}
            value={shown}
            onChange={(chosen) =>
              void navigate({ search: (now) => ({ ...now, language: chosen }), replace: true })
            }
          />
        )}
        <ExportLink kind={kind} search={language === undefined ? {} : { language }} />
        <AsOf />
      </PageHead>
      {!isKindWord(kind) ? (
        <ErrorNote error={new Refused("NotFound", `There is no kind "${kind}"`)} />
      ) : shown === undefined ? (
        <Pending query={query} />
      ) : (
        kindTables[kind]({ scope: { tenant, language: shown }, word: kind })
      )}
    </Page>
  );
}

export const page = createLazyRoute("/@{$tenant}/browse/$kind")({ component: KindPage });
