import { useQuery } from "@tanstack/react-query";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { bytesText, countOf, durationText, numberText } from "../../ui/format.ts";
import { Fact, Facts, Part } from "../browse-model/facts.tsx";
import { type ShownTenant, usageDocument } from "./documents.ts";
import styles from "./tenant.module.css";

export const usageWords = [
  ["items", "Items"],
  ["productVariants", "Product variants"],
  ["customers", "Customers"],
  ["orders", "Orders"],
  ["bulkTasks", "Tasks"],
  ["operations", "Operations executed"],
] as const;

export function UsageAndLimits({ tenant }: { tenant: ShownTenant }) {
  const identifier = useTenant();
  const { data, error, refetch } = useQuery({
    queryKey: ["tenant", identifier, "usage"],
    queryFn: async ({ signal }) =>
      success((await request(identifier, usageDocument, {}, signal)).tenant).usage,
  });
  const limits = [
    ["Maximum upload size", bytesText(tenant.uploadMaxBytes)],
    ["Upload form validity", durationText(tenant.uploadLifetimeSeconds * 1_000)],
    ["Maximum unfinished tasks", numberText(tenant.maxWaitingTasks)],
    ["Undo data retention", countOf(tenant.keepBeforeDays, "day")],
  ];
  return (
    <div className={styles.panel}>
      <Part title="Usage">
        {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
        <Facts>
          {usageWords.map(([name, word]) => (
            <Fact key={name} name={word}>
              {data === undefined ? "…" : numberText(data[name])}
            </Fact>
          ))}
        </Facts>
      </Part>
      <Part title="Limits">
        <Facts>
          {limits.map(([word = "", value]) => (
            <Fact key={word} name={word}>
              {value}
            </Fact>
          ))}
        </Facts>
        <p className="muted">Set by the operator, with updateTenant of the operator API.</p>
      </Part>
    </div>
  );
}
