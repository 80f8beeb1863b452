import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ServiceAway, success } from "../../api/errors.ts";
import type { ResultOf, TadaDocumentNode } from "../../api/graphql.ts";
import { request, requestUntilAnswered } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { useStay } from "../../layout/navigation.ts";
import type { undoDocument } from "./documents.ts";

/** Sends a mutation of a task, and refetches the tasks shown. */
export function useTaskChange() {
  const refetch = useRefetch();
  const tenant = useTenant();
  return async <Data, Variables>(document: TadaDocumentNode<Data, Variables>, variables: Variables) => {
    try {
      return await request(tenant, document, variables);
    } catch (error) {
      throw error instanceof ServiceAway && error.retryAfter === undefined ? unknownAfter(error) : error;
    } finally {
      refetch();
    }
  };
}

const unknownAfter = (error: ServiceAway) =>
  new ServiceAway(
    `${error.message}. It is unknown whether the task was changed: see its state once the service answers, and try again if it was not.`,
    { cause: error },
  );

/** Idempotency keys of unanswered requests, by the request: one that is confirmed again makes no second task. */
const unanswered = new Map<string, string>();

/** Creates one task, also when the answer is lost and the request repeated, and opens it. */
export function useTaskCreation() {
  const refetch = useRefetch();
  const tenant = useTenant();
  const open = useOpenTask();
  const stay = useStay();
  return async <Variables extends { idempotencyKey: string }>(
    document: TadaDocumentNode<ResultOf<typeof undoDocument>, Variables>,
    variables: Omit<Variables, "idempotencyKey">,
    signal: AbortSignal,
  ) => {
    const isHere = stay();
    const name = JSON.stringify([tenant, String(document), variables]);
    const idempotencyKey = unanswered.get(name) ?? crypto.randomUUID();
    unanswered.set(name, idempotencyKey);
    // What was left out is added.
    const all = { ...variables, idempotencyKey } as Variables;
    const { created } = await requestUntilAnswered(tenant, document, all, signal).finally(refetch);
    unanswered.delete(name);
    const { id } = success(created);
    if (isHere()) await open(id);
  };
}

function useRefetch() {
  const tenant = useTenant();
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: ["task", tenant] });
    void queries.invalidateQueries({ queryKey: ["tasks", tenant] });
  };
}

function useOpenTask() {
  const tenant = useTenant();
  const navigate = useNavigate();
  return (task: string) => navigate({ to: "/@{$tenant}/tasks/$task", params: { tenant, task } });
}
