import { useQuery } from "@tanstack/react-query";
import { useTenant } from "../../api/session.ts";
import { ErrorNote, Skeleton } from "../../ui/feedback/feedback.tsx";
import { numberText, percentText } from "../../ui/format.ts";
import type { TaskOverview } from "../task-model/overview.ts";
import { usageWords } from "../tenant/usage.tsx";
import { activityQuery, sizesQuery } from "./activity-query.ts";
import { HourChart } from "./hour-chart.tsx";
import styles from "./overview.module.css";

/** Operations an hour, and the tenant's size. */
export function Activity({ counts }: { counts: TaskOverview["counts"] }) {
  const { data: hours, error, refetch } = useQuery(activityQuery(useTenant()));
  if (hours === undefined) return <Pending error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles.activity}>
      <HourChart title="The last day" hours={hours.slice(-24)} />
      <HourChart title="The last week" hours={hours} />
      <Sizes unfinished={counts.running + counts.held} />
    </div>
  );
}

const Pending = ({ error, onRetry }: { error: unknown; onRetry: () => void }) =>
  error === null ? <Skeleton lines={8} /> : <ErrorNote error={error} onRetry={onRetry} />;

function Sizes({ unfinished }: { unfinished: number }) {
  const { data, error, refetch } = useQuery(sizesQuery(useTenant()));
  if (data === undefined) return <Pending error={error} onRetry={() => void refetch()} />;
  return (
    <section className={styles.section} aria-labelledby="sizes">
      <h2 id="sizes">Sizes</h2>
      <dl className={styles.sizes}>
        <div className={styles.limited}>
          <dt>Unfinished tasks</dt>
          <dd>
            {numberText(unfinished)} of {numberText(data.maxWaitingTasks)} allowed (
            {percentText(unfinished, data.maxWaitingTasks)})
            <meter
              aria-label="Unfinished tasks, of those allowed"
              max={data.maxWaitingTasks}
              high={data.maxWaitingTasks * 0.8}
              value={unfinished}
            />
          </dd>
        </div>
        {usageWords.map(([name, word]) => (
          <div key={name}>
            <dt>{word}</dt>
            <dd>{numberText(data.usage[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
