import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import type { ResultOf, TadaDocumentNode } from "../../api/graphql.ts";
import { request, requestUntilAnswered } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import type { undoDocument } from "./documents.ts";

/** Sends a mutation of a task, and refetches the tasks shown. */
export function useTaskChange() {
  const refetch = useRefetch();
  const tenant = useTenant();
  return async <Data, Variables>(document: TadaDocumentNode<Data, Variables>, variables: Variables) => {
    const data = await request(tenant, document, variables);
    refetch();
    return data;
  };
}

/** Creates one task, also when the answer is lost and the request repeated, and opens it. */
export function useTaskCreation() {
  const refetch = useRefetch();
  const tenant = useTenant();
  const open = useOpenTask();
  return async <Variables extends { idempotencyKey: string }>(
    document: TadaDocumentNode<ResultOf<typeof undoDocument>, Variables>,
    variables: Omit<Variables, "idempotencyKey">,
    signal: AbortSignal,
  ) => {
    const idempotencyKey = crypto.randomUUID();
    // What was left out is added.
    const all = { ...variables, idempotencyKey } as Variables;
    const { created } = await requestUntilAnswered(tenant, document, all, signal);
    refetch();
    await open(success(created).id);
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
