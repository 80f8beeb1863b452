import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { type DisplayName, Name } from "./stored.tsx";

interface ItemLinkProps {
  id: string;
  name: DisplayName | null;
  /** The language of the page it leads to; default: the tenant's. */
  language?: string | undefined;
  /** Set outside of tables, where links are Tab stops. */
  isStop?: boolean;
}

/** A link to an item's page, labeled by its name, or its id if it has no name. */
export function ItemLink({ id, name, language, isStop = false }: ItemLinkProps) {
  const tenant = useTenant();
  return (
    <Link
      to="/@{$tenant}/browse/items/$item"
      params={{ tenant, item: id }}
      search={language === undefined ? {} : { language }}
      tabIndex={isStop ? undefined : -1}
    >
      <Name name={name} language={language} id={id} />
    </Link>
  );
}
