import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";

/** A link to the product that has a variant. */
export function SkuLink({ sku, isStop = false }: { sku: string; isStop?: boolean }) {
  return (
    <Link
      to="/@{$tenant}/browse/variants/$sku"
      params={{ tenant: useTenant(), sku }}
      tabIndex={isStop ? undefined : -1}
    >
      <code>{sku}</code>
    </Link>
  );
}
