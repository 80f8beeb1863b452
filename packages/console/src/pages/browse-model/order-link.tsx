import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { shortId } from "../../ui/values/id.tsx";

/** A link to an order's page, labeled by its reference. */
export function OrderLink({
  order: { id, reference },
  isStop = false,
}: {
  order: { id: string; reference: string };
  isStop?: boolean;
}) {
  return (
    <Link
      to="/@{$tenant}/browse/orders/$order"
      params={{ tenant: useTenant(), order: id }}
      tabIndex={isStop ? undefined : -1}
    >
      <code>{reference === id ? shortId(id) : reference}</code>
    </Link>
  );
}
