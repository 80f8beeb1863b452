import { exportKinds, personalExportKinds } from "@lading/schema/internal/export-kinds";
import { Link } from "@tanstack/react-router";
import { useIsAdmin, useTenant } from "../../api/session.ts";
import { buttonClass } from "../../ui/input/button.tsx";

interface ExportLinkProps {
  /** The word of a kind; others than those of exports have no link. */
  kind: string;
  search: { folder?: string; language?: string; text?: string };
}

/** Leads from a list to the page that exports it, and edits it in bulk. */
export function ExportLink({ kind: word, search }: ExportLinkProps) {
  const tenant = useTenant();
  const isAdmin = useIsAdmin();
  const kind = exportKinds.find((known) => known === word);
  if (kind === undefined || (personalExportKinds.includes(kind) && !isAdmin)) return null;
  return (
    <Link
      to="/@{$tenant}/browse/export"
      params={{ tenant }}
      search={{ kind, ...search }}
      className={buttonClass()}
    >
      {isAdmin && kind !== "orders" ? "Export or edit these" : "Export these"}
    </Link>
  );
}
