import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTenant } from "../../../api/session.ts";
import { useStay } from "../../../layout/navigation.ts";
import type { Draft } from "../use-draft.ts";
import { type StartOptions, startFile } from "./start-file.ts";

export interface Sending {
  kind: "run" | "plan";
  bytes: number;
  total: number;
}

const maybeStartedMessage =
  "Cancelled while the task was being created: it may have started. Check the tasks before starting it again.";

interface StartPage {
  /** Set while a task is being created. */
  isCreating: { current: boolean };
  /** True if the page was left during that, with this file. */
  maybeStarted: boolean;
  /** Gets false if the reader chose another page meanwhile. */
  onStarted: (task: string, isHere: boolean) => Promise<unknown>;
}

interface Start {
  draft: Draft;
  kind: Sending["kind"];
  options: StartOptions;
}

/** Sends a file and starts a task from it; `onStarted` is called with its id. */
export function useStart({ isCreating, maybeStarted, onStarted }: StartPage) {
  const tenant = useTenant();
  const queries = useQueryClient();
  const stay = useStay();
  const [bytes, setBytes] = useState(0);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const send = async ({ draft: { name, json }, options }: Start) => {
    const controller = new AbortController();
    const { signal } = controller;
    const isHere = stay();
    current.current = controller;
    let sent = 0;
    const onBytes = (now: number) => {
      sent = Math.min(now, json.size);
      isCreating.current = sent === json.size;
      setBytes(sent);
    };
    onBytes(0);
    try {
      const task = await startFile({ tenant, name, json, options, signal, onBytes });
      return { task, isHere: isHere() };
    } catch (error) {
      if (!signal.aborted) throw error;
      if (sent === json.size) throw new Error(maybeStartedMessage);
      return undefined;
    } finally {
      isCreating.current = false;
    }
  };
  const { mutate, isIdle, isPending, variables, error } = useMutation({
    mutationFn: send,
    onSuccess: async (started) => {
      if (started === undefined) return;
      void queries.invalidateQueries({ queryKey: ["tasks", tenant] });
      await onStarted(started.task, started.isHere);
    },
  });
  const sending: Sending | undefined = isPending
    ? { kind: variables.kind, bytes, total: variables.draft.json.size }
    : undefined;
  const leftError = isIdle && maybeStarted ? new Error(maybeStartedMessage) : null;
  return { start: mutate, sending, error: error ?? leftError, cancel: () => current.current?.abort() };
}
