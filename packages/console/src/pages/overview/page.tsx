import { createLazyRoute } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { PagePending } from "../../layout/page-states.tsx";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { useTaskOverview } from "../task-model/overview.ts";
import { Activity } from "./activity.tsx";
import { FirstSteps } from "./first-steps.tsx";
import styles from "./overview.module.css";
import { Held, OpenFailures, Planned, Running } from "./task-lists.tsx";

/** The tenant's tasks that run, failed or wait for a person, and its recent activity. */
function OverviewPage() {
  // The loader has read it.
  const { data } = useTaskOverview(useTenant());
  if (data === undefined) return <PagePending />;
  if (data.recent.length === 0) return <FirstSteps />;
  return (
    <Page>
      <PageHead title="Overview" />
      <div className={styles.panes}>
        <div className={styles.lists}>
          <Running overview={data} />
          <Held overview={data} />
          <OpenFailures overview={data} />
          <Planned overview={data} />
        </div>
        <Activity counts={data.counts} />
      </div>
    </Page>
  );
}

export const page = createLazyRoute("/@{$tenant}/overview")({ component: OverviewPage });
