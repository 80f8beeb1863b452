import { State, type StateShape } from "../../ui/values/state.tsx";

interface Version {
  /** Publishing gives the published version the draft's id, until either changes. */
  id: string;
  label: "draft" | "published";
}

interface VersionStateProps {
  versions: readonly Version[];
  /** True if the draft is known to differ, such as in its variants. */
  isChanged?: boolean;
}

/** An item's state in a language: published, published with a changed draft, draft only, or missing. */
export function VersionState({ versions, isChanged = false }: VersionStateProps) {
  const idOf = (label: Version["label"]) => versions.find((version) => version.label === label)?.id;
  const [draft, published] = [idOf("draft"), idOf("published")];
  if (draft === undefined && published === undefined) return <State shape="waiting">none</State>;
  if (published === undefined) return <State shape="queued">draft</State>;
  if (draft !== undefined && (isChanged || draft !== published))
    return <State shape="partial">draft changed</State>;
  return <State shape="done">published</State>;
}

const payments: Readonly<Record<string, [StateShape, string]>> = {
  paid: ["done", "paid"],
  unpaid: ["waiting", "unpaid"],
  partiallyPaid: ["partial", "partially paid"],
  refunded: ["stopped", "refunded"],
  partiallyRefunded: ["partial", "partially refunded"],
};

/** The state of an order's payment; a dash if it has none. */
export function PaymentState({ status }: { status: string | null }) {
  const known = payments[status ?? ""];
  if (known === undefined) return <>{status ?? "–"}</>;
  return <State shape={known[0]}>{known[1]}</State>;
}
