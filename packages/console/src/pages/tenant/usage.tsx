import { useQuery } from "@tanstack/react-query";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { countOf, durationText, numberText } from "../../ui/format.ts";
import { type ShownTenant, usageDocument } from "./documents.ts";
import styles from "./tenant.module.css";

/** The sizes of a tenant, with their words. */
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
    ["Size of an upload", bytesText(tenant.uploadMaxBytes)],
    ["An upload form is valid for", durationText(tenant.uploadLifetimeSeconds * 1_000)],
    ["Pending tasks", numberText(tenant.maxWaitingTasks)],
    ["Before-images are kept", countOf(tenant.keepBeforeDays, "day")],
  ];
  return (
    <div className={styles.panel}>
      <section className={styles.part}>
        <h2>Usage</h2>
        {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
        <dl className={styles.figures}>
          {usageWords.map(([name, word]) => (
            <div key={name}>
              <dt>{word}</dt>
              <dd>{data === undefined ? "…" : numberText(data[name])}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className={styles.part}>
        <h2>Limits</h2>
        <dl className={styles.limits}>
          {limits.map(([word, value]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.muted}>The operator sets them, with updateTenant of the operator API.</p>
      </section>
    </div>
  );
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Bytes as `1 GiB`, `512 MiB`. */
function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${numberText(Math.round((bytes / 1_024 ** power) * 10) / 10)} ${units[power]}`;
}
