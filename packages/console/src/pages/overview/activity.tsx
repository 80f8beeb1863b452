import { useQuery } from "@tanstack/react-query";
import { useTenant } from "../../api/session.ts";
import { Pending } from "../../layout/page-states.tsx";
import { numberText, percentText } from "../../ui/format.ts";
import type { TaskOverview } from "../task-model/overview.ts";
import { usageWords } from "../tenant/usage.tsx";
import { activityQuery, sizesQuery } from "./activity-query.ts";
import { HourChart } from "./hour-chart.tsx";
import styles from "./overview.module.css";

/** Operations an hour, and the tenant's size. */
export function Activity({ counts }: { counts: TaskOverview["counts"] }) {
  const query = useQuery(activityQuery(useTenant()));
  const { data: hours } = query;
  if (hours === undefined) return <Pending query={query} />;
  return (
    <div className={styles.activity}>
      <HourChart title="Last 24 hours" hours={hours.slice(-24)} />
      <HourChart title="Last 7 days" hours={hours} />
      <Usage unfinished={counts.running + counts.held} />
    </div>
  );
}

function Usage({ unfinished }: { unfinished: number }) {
  const query = useQuery(sizesQuery(useTenant()));
  const { data } = query;
  if (data === undefined) return <Pending query={query} />;
  return (
    <section className={styles.section} aria-labelledby="sizes">
      <h2 id="sizes">Usage</h2>
      <dl className={styles.sizes}>
        <div className={styles.limited}>
          <dt>Unfinished tasks</dt>
          <dd>
            {numberText(unfinished)} of {numberText(data.maxWaitingTasks)} allowed (
            {percentText(unfinished, data.maxWaitingTasks)})
            <meter
              aria-label="Unfinished tasks out of the limit"
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
