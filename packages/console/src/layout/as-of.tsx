import { type Query, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { entitiesKey } from "../api/query-client.ts";
import { useTenant } from "../api/session.ts";
import { Button } from "../ui/input/button.tsx";
import { Time } from "../ui/values/time.tsx";
import styles from "./frame.module.css";

/** When the entities on this page were read, the oldest of them, and a button that reads them again. */
export function AsOf() {
  const queries = useQueryClient();
  const filters = { queryKey: [entitiesKey, useTenant()], type: "active" } as const;
  const cache = queries.getQueryCache();
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(onChange), [cache]);
  const readAt = useSyncExternalStore(subscribe, () => oldestOf(cache.findAll(filters)));
  if (readAt === undefined) return null;
  return (
    <span className={styles.asOf}>
      as of <Time at={new Date(readAt).toISOString()} />
      <Button
        kind="plain"
        aria-label="Refresh"
        title="Refresh"
        onClick={() => void queries.refetchQueries(filters)}
      >
        ↻
      </Button>
    </span>
  );
}

/** When the oldest data was read, in milliseconds; undefined without data. */
function oldestOf(queries: readonly Query[]): number | undefined {
  const times = queries.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0);
  return times.length === 0 ? undefined : Math.min(...times);
}
