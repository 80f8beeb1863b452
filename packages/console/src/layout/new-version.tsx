import { useQuery } from "@tanstack/react-query";
import { useConnection } from "../api/connection.ts";
import { send } from "../api/request.ts";
import { Button } from "../ui/input/button.tsx";
import { State } from "../ui/values/state.tsx";
import styles from "./frame.module.css";

/** The script of this page. Its name has a hash that changes with any part of the console. */
const script = document.querySelector("script[type=module][src]")?.getAttribute("src") ?? "";

/** True if the service's page has another script. Read every five minutes, on focus, and after an outage. */
function useIsOutdated(): boolean {
  const { awaySince } = useConnection();
  const { data } = useQuery({
    queryKey: ["console", awaySince],
    enabled: awaySince === null,
    refetchInterval: 300_000,
    queryFn: async ({ signal }) => !(await (await send("/console/", { signal })).text()).includes(script),
  });
  return data ?? false;
}

/** Says that the service has another version of the console than this page. */
export function NewVersion() {
  const isOutdated = useIsOutdated();
  return (
    <div role="status">
      {isOutdated && (
        <p className={styles.away}>
          <State shape="warning">New version</State>
          <span>The service has a new version of the console.</span>
          <Button onClick={() => location.reload()}>Reload</Button>
        </p>
      )}
    </div>
  );
}
