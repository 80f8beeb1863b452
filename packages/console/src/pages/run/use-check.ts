import { useEffect, useState } from "react";
import type { Draft } from "./use-draft.ts";
import { inWorker } from "./worker/client.ts";
import type { CheckReport } from "./worker/jobs.ts";

/** The checks of a draft. */
export interface Check {
  /** The previous text's report while a newer text is checked; undefined until there is one. */
  report?: CheckReport;
  /** The bytes checked so far, during a check. */
  bytes?: number;
  error?: unknown;
}

/** Checks a draft whenever its JSON changes; an empty one is not checked. */
export function useCheck({ id, json }: Draft): Check & { recheck: () => void } {
  const [state, setState] = useState<Check & { id: number; json?: Blob }>({ id });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (json.size === 0) return setState({ id, json });
    const controller = new AbortController();
    const { signal } = controller;
    const change = (next: Check) =>
      setState(({ report }) => ({ id, json, ...(report && { report }), ...next }));
    setState((now) => ({ id, json, bytes: 0, ...(now.id === id && now.report && { report: now.report }) }));
    inWorker("check", json, { signal, onBytes: (bytes) => change({ bytes }) }).then(
      (report) => !signal.aborted && change({ report }),
      (error) => !signal.aborted && change({ error }),
    );
    return () => controller.abort();
  }, [id, json, tries]);
  const recheck = () => setTries((now) => now + 1);
  const { report, bytes = state.json === json ? undefined : 0, error } = state;
  return {
    ...(state.id === id && report && { report }),
    ...(bytes !== undefined && { bytes }),
    ...(error !== undefined && { error }),
    recheck,
  };
}
