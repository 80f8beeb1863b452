import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTenant } from "../../api/session.ts";
import { shortId } from "../../ui/values/id.tsx";

interface ItemLinkProps {
  id: string;
  name: string | null;
  language?: string | undefined;
  /** Replaces the name. */
  children?: ReactNode;
  /** Set outside of tables, where links are Tab stops. */
  isStop?: boolean;
}

/** A link to an item's page, labeled by its name, or its id if it has no name in the language. */
export function ItemLink({ id, name, language, children, isStop = false }: ItemLinkProps) {
  const tenant = useTenant();
  return (
    <Link
      to="/@{$tenant}/browse/items/$item"
      params={{ tenant, item: id }}
      search={language === undefined ? {} : { language }}
      tabIndex={isStop ? undefined : -1}
    >
      {children ?? name ?? <code>{shortId(id)}</code>}
    </Link>
  );
}
