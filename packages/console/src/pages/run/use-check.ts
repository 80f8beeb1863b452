import { useEffect, useMemo, useState } from "react";
import type { Draft } from "./use-draft.ts";
import { inWorker } from "./worker/client.ts";
import type { CheckReport } from "./worker/jobs.ts";

export interface Check {
  /** The previous text's report while a newer text is checked; undefined until there is one. */
  report?: CheckReport;
  /** The bytes checked so far, during a check. */
  bytes?: number;
  error?: unknown;
}

/** Checks a draft whenever its JSON changes; an empty one is not checked. */
export function useCheck({ id, json }: Draft): Check & { recheck: () => void } {
  const [tries, setTries] = useState(0);
  const job = useMemo(() => ({ id, json, tries }), [id, json, tries]);
  const [{ of, ...latest }, setLatest] = useState<Check & { of?: typeof job }>({});
  useEffect(() => {
    if (job.json.size === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    const change = (next: Check) =>
      setLatest(({ of, report }) => ({ of: job, ...(of?.id === job.id && report && { report }), ...next }));
    inWorker("check", job.json, { signal, onBytes: (bytes) => change({ bytes }) }).then(
      (report) => !signal.aborted && change({ report }),
      (error) => !signal.aborted && change({ error }),
    );
    return () => controller.abort();
  }, [job]);
  const recheck = () => setTries((now) => now + 1);
  if (json.size === 0) return { recheck };
  if (of === job) return { ...latest, recheck };
  return { bytes: 0, ...(of?.id === id && latest.report && { report: latest.report }), recheck };
}
