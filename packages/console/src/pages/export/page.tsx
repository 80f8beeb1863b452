import type { ExportColumn } from "@lading/schema/internal/export-kinds";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { send } from "../../api/request.ts";
import { useIsAdmin, useTenant } from "../../api/session.ts";
import { Pending } from "../../layout/page-states.tsx";
import { Check } from "../../ui/input/field.tsx";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { tenantLanguagesQuery } from "../browse-model/tenant-languages.ts";
import { Download } from "./download.tsx";
import { BulkEdit } from "./edit.tsx";
import styles from "./export.module.css";
import { exportAddress, isPublishable } from "./exported.ts";
import { Filters } from "./filters.tsx";

const route = getRouteApi("/@{$tenant}/browse/export");

/** Exports a kind of a tenant's data as a table, and edits it in bulk. */
function ExportPage() {
  const tenant = useTenant();
  const isAdmin = useIsAdmin();
  const { text, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const languages = useQuery(tenantLanguagesQuery(tenant));
  const { kind = "products", language = languages.data?.language } = search;
  const exported = { ...search, kind, language };
  const needsShape = kind === "content" && exported.shape === undefined;
  const address = exportAddress(tenant, { ...exported, columns: undefined }, { format: "columns" });
  const query = useQuery({
    queryKey: ["export", address],
    enabled: !needsShape && language !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ExportColumn[]> => (await send(address, { signal })).json(),
  });
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...changed }), replace: true });
  const { data: columns } = query;
  return (
    <Page isFlush>
      <PageHead
        title="Export"
        crumbs={
          <Link to="/@{$tenant}/browse" params={{ tenant }}>
            Browse
          </Link>
        }
      >
        <Filters exported={exported} languages={languages.data?.languages ?? []} onChange={change} />
      </PageHead>
      <div className={styles.parts}>
        {text !== undefined && (
          <p className={styles.note} role="status">
            A search cannot be exported: these are all {kind}, not only what has “{text}”. Narrow them by
            conditions, or open a folder and export that.
          </p>
        )}
        {needsShape ? (
          <p className={styles.note}>Choose a shape: its components are the columns.</p>
        ) : query.error !== null || columns === undefined ? (
          <Pending query={query} />
        ) : (
          <>
            <Download
              exported={exported}
              columns={columns}
              onColumns={(names) => change({ columns: names })}
            />
            {isAdmin && isPublishable(kind) && (
              <Check
                checked={exported.publish ?? false}
                onChange={({ target }) => change({ publish: target.checked || undefined })}
                note="The map and the edits below also publish the items that they change."
              >
                Publish
              </Check>
            )}
            {isAdmin && columns.some(({ isReadOnly, isKey }) => !isReadOnly && !isKey) && (
              // What was chosen of a kind does not fit another one.
              <BulkEdit key={`${kind} ${exported.shape}`} exported={exported} columns={columns} />
            )}
          </>
        )}
      </div>
    </Page>
  );
}

export const page = createLazyRoute("/@{$tenant}/browse/export")({ component: ExportPage });
