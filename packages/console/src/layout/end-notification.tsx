import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { isAway } from "../api/connection.ts";
import { SignedOut, success } from "../api/errors.ts";
import { graphql } from "../api/graphql.ts";
import { request } from "../api/request.ts";
import { sessionQuery, useTenant } from "../api/session.ts";
import { storeOf } from "../api/store.ts";
import { countOf } from "../ui/format.ts";
import { Button } from "../ui/input/button.tsx";

const endDocument = graphql(`
  query End($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { endedAt progress { succeeded failed } }
      ... on BasicError { errorName message }
    }
  }
`);

interface WatchedTask {
  tenant: string;
  id: string;
  /** Such as `Run spring.json`. */
  name: string;
}

const storageKey = "lading-watched";

/** The tasks whose end this tab tells, also after it was loaded again. */
const watched = storeOf<readonly WatchedTask[]>(JSON.parse(sessionStorage.getItem(storageKey) ?? "[]"));

function watch(tasks: readonly WatchedTask[]): void {
  sessionStorage.setItem(storageKey, JSON.stringify(tasks));
  watched.set(tasks);
}

/** False on Android, where only a service worker may notify. */
const canNotify = "Notification" in window && !navigator.userAgent.includes("Android");

/** Drops the tasks of a session that was ended. */
export const watchNothing = () => watch([]);

/** Asks for a notification at the end of a task that has not ended. */
export function NotifyButton({ id, name }: Omit<WatchedTask, "tenant">) {
  const tenant = useTenant();
  const isOn = watched.use().some((task) => task.id === id);
  if (!canNotify) return null;
  const toggle = async () => {
    const others = () => watched.get().filter((task) => task.id !== id);
    if (isOn) return watch(others());
    if ((await Notification.requestPermission()) === "granted") watch([...others(), { tenant, id, name }]);
  };
  return (
    <Button
      kind="plain"
      aria-pressed={isOn}
      title="Shows a system notification when this task ends, if this tab is still open"
      onClick={() => void toggle()}
    >
      {isOn ? "Notifying you" : "Notify me"}
    </Button>
  );
}

/** Tells the end of each watched task of the session's tenants, also while the tab is hidden. */
export function EndNotifications() {
  const { data } = useQuery(sessionQuery);
  const tenants = data?.tenants.map(({ identifier }) => identifier);
  return watched
    .use()
    .filter(({ tenant }) => tenants?.includes(tenant))
    .map((task) => <EndNotification key={task.id} task={task} />);
}

function EndNotification({ task }: { task: WatchedTask }) {
  const { tenant, id, name } = task;
  const navigate = useNavigate();
  const { data, error } = useQuery({
    queryKey: ["task", tenant, id, "end"],
    refetchInterval: 3_000,
    refetchIntervalInBackground: true,
    // The next interval tries again: retries would wait until the tab is visible.
    retry: false,
    queryFn: async ({ signal }) => success((await request(tenant, endDocument, { id }, signal)).bulkTask),
  });
  const end = useEffectEvent(({ succeeded, failed }: { succeeded: number; failed: number }) => {
    const body = `${countOf(succeeded, "operation")} succeeded, ${countOf(failed, "operation")} failed`;
    const notification = new Notification(`${name} has ended`, { body, tag: id });
    notification.onclick = () => {
      window.focus();
      void navigate({ to: "/@{$tenant}/tasks/$task", params: { tenant, task: id } });
    };
  });
  useEffect(() => {
    const isForNow = error === null || isAway(error) || error instanceof SignedOut;
    if (isForNow && !data?.endedAt) return;
    watch(watched.get().filter((other) => other.id !== id));
    if (data?.endedAt) end(data.progress);
  }, [data, error, id]);
  return null;
}
