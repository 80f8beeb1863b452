import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTenant } from "../../../api/session.ts";
import type { Draft } from "../use-draft.ts";
import { type StartOptions, startFile } from "./start-file.ts";

/** A file being sent to the service. */
export interface Sending {
  kind: "run" | "plan";
  bytes: number;
  total: number;
}

const maybeStarted =
  "Cancelled while the task was being created: it may have started. Check the tasks before starting it again.";

/** Sends a file and starts a task from it; `onStarted` is called with its id. */
export function useStart(onStarted: (task: string) => Promise<unknown>) {
  const tenant = useTenant();
  const queries = useQueryClient();
  const [sending, setSending] = useState<Sending>();
  const [error, setError] = useState<unknown>();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const start = async ({ name, json }: Draft, kind: "run" | "plan", options: StartOptions) => {
    const controller = new AbortController();
    const { signal } = controller;
    current.current = controller;
    let sent = 0;
    const onBytes = (bytes: number) => {
      sent = Math.min(bytes, json.size);
      setSending({ kind, bytes: sent, total: json.size });
    };
    onBytes(0);
    setError(undefined);
    try {
      const task = await startFile({ tenant, name, json, options, signal, onBytes });
      void queries.invalidateQueries({ queryKey: ["tasks", tenant] });
      await onStarted(task);
    } catch (reason) {
      if (!signal.aborted) setError(reason);
      else if (sent === json.size) setError(new Error(maybeStarted));
    } finally {
      if (current.current === controller) setSending(undefined);
    }
  };
  return { start, sending, error, cancel: () => current.current?.abort() };
}
