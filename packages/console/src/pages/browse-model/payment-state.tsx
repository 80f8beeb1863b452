import { State, type StateShape } from "../../ui/values/state.tsx";

const states: Readonly<Record<string, [StateShape, string]>> = {
  paid: ["done", "paid"],
  unpaid: ["waiting", "unpaid"],
  partiallyPaid: ["partial", "partially paid"],
  refunded: ["stopped", "refunded"],
  partiallyRefunded: ["partial", "partially refunded"],
};

/** The state of an order's payment; a dash if it has none. */
export function PaymentState({ status }: { status: string | null }) {
  const known = states[status ?? ""];
  if (known === undefined) return <>{status ?? "–"}</>;
  return <State shape={known[0]}>{known[1]}</State>;
}
