import { exportKinds, personalExportKinds } from "@lading/schema/internal/export-kinds";
import { useQuery } from "@tanstack/react-query";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useIsAdmin, useTenant } from "../../api/session.ts";
import { Choice, FilterText } from "../../ui/input/field.tsx";
import { pageOf, type RowPage } from "../../ui/table/paged-rows.ts";
import { type Language, LanguagePicker } from "../browse-model/language-picker.tsx";
import { type ShapeRow, shapesDocument } from "../kind/content-documents.ts";
import { type Exported, hasShapes, isInFolders, isInLanguage, isPublishable } from "./exported.ts";

interface FiltersProps {
  exported: Exported;
  languages: readonly Language[];
  onChange: (change: Partial<Exported>) => void;
}

/** Controls for the kind that is exported, and which of its rows. */
export function Filters({ exported, languages, onChange }: FiltersProps) {
  const isAdmin = useIsAdmin();
  const { kind, shape, language, folder, deep, where } = exported;
  const kinds = exportKinds.filter(
    (known) => known !== "products" && (isAdmin || !personalExportKinds.includes(known)),
  );
  return (
    <>
      <Choice
        label="Kind"
        none="products"
        value={kind === "products" ? undefined : kind}
        options={kinds}
        onChange={(chosen = "products") => onChange({ kind: chosen, shape: undefined, columns: undefined })}
      />
      {hasShapes(kind) && <ShapeChoice kind={kind} shape={shape} onChange={onChange} />}
      {isInLanguage(kind) && (
        <LanguagePicker
          label="Language"
          languages={languages}
          value={language}
          onChange={(chosen) => onChange({ language: chosen })}
        />
      )}
      <FilterText
        label="Conditions"
        placeholder={examples[kind]}
        value={where}
        isFirst
        onChange={(text) => onChange({ where: text })}
      />
      {folder !== undefined && isInFolders(kind) && (
        <Choice
          label="Folder"
          value={isPublishable(kind) && !deep ? hereOnly : withSubfolders}
          options={isPublishable(kind) ? [hereOnly, withSubfolders] : [withSubfolders]}
          onChange={(chosen) =>
            onChange({
              deep: chosen === withSubfolders || undefined,
              folder: chosen === undefined ? undefined : folder,
            })
          }
        />
      )}
    </>
  );
}

const hereOnly = "without its subfolders";
const withSubfolders = "with its subfolders";

/** A condition for each kind that a reader may begin with. */
const examples: Readonly<Record<Exported["kind"], string>> = {
  ...{ products: "name = Tea*", content: "published = false", variants: "sku = TEA-*" },
  ...{ prices: "price >= 10", stock: "stock < 5", customers: "group = wholesale" },
  ...{ orders: "total.gross >= 100", topics: "name = Tea*", "price-lists": "name = Sale*" },
  images: "size > 1000000",
};

/** Offers the shapes whose components a kind can have as columns. */
function ShapeChoice({
  kind,
  shape,
  onChange,
}: Pick<Exported, "kind" | "shape"> & Pick<FiltersProps, "onChange">) {
  const tenant = useTenant();
  const { data = [] } = useQuery({
    queryKey: ["tenant", tenant, "shapes"],
    staleTime: 60_000,
    queryFn: ({ signal }) => allShapes(tenant, signal),
  });
  const fitting = data.filter(({ type }) => kind === "content" || type === "product");
  return (
    <Choice
      label="Shape"
      none="none"
      value={shape}
      options={fitting.map(({ identifier }) => identifier)}
      onChange={(chosen) => onChange({ shape: chosen, columns: undefined })}
    />
  );
}

async function allShapes(
  tenant: string,
  signal: AbortSignal,
): Promise<Pick<ShapeRow, "identifier" | "type">[]> {
  const found: ShapeRow[] = [];
  let after: string | null = "";
  while (after !== null) {
    const { rows, endCursor, hasNextPage } = await pageAfter(tenant, after, signal);
    found.push(...rows);
    after = hasNextPage ? endCursor : null;
  }
  return found;
}

const pageAfter = async (tenant: string, after: string, signal: AbortSignal): Promise<RowPage<ShapeRow>> =>
  pageOf(success((await request(tenant, shapesDocument, { after }, signal)).shapes));
