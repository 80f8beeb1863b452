import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { send } from "../api/request.ts";
import { Button } from "../ui/input/button.tsx";
import styles from "./frame.module.css";

const failures = new WeakSet<object>();

addEventListener("vite:preloadError", ({ payload }) => failures.add(payload));

/** True for the error of a script or style of the console that could not be loaded. */
export const isPartFailure = (error: unknown): boolean => error instanceof Error && failures.has(error);

/** When the page reloaded itself, in milliseconds. */
const key = "lading-reloaded";

/** Time within which a page does not reload itself twice, in milliseconds. */
const pause = 60_000;

/**
 * Placeholder for a page whose script could not be loaded: the service was unreachable, or has a new version
 * without it. Reloads once the service answers.
 */
export function PartFailure() {
  const { data: isBack = false } = useQuery({
    queryKey: ["page"],
    gcTime: 0,
    queryFn: async ({ signal }) => (await send("/console/", { signal, method: "HEAD" })).ok,
  });
  useEffect(() => {
    if (!isBack || Date.now() - Number(sessionStorage.getItem(key)) < pause) return;
    sessionStorage.setItem(key, `${Date.now()}`);
    location.reload();
  }, [isBack]);
  return (
    <div className={styles.note} role="alert">
      <h1>This page could not be loaded</h1>
      <p>The network failed, or the service has a new version of the console.</p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}
