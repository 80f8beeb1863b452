import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { TadaDocumentNode } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";

/** Sends a task mutation, and refetches the tasks shown. */
export function useTaskChange() {
  const tenant = useTenant();
  const queries = useQueryClient();
  return async <Data, Variables>(
    document: TadaDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data> => {
    const data = await request(tenant, document, variables);
    void queries.invalidateQueries({ queryKey: ["task", tenant] });
    void queries.invalidateQueries({ queryKey: ["tasks", tenant] });
    return data;
  };
}

export function useOpenTask() {
  const tenant = useTenant();
  const navigate = useNavigate();
  return (task: string) => navigate({ to: "/@{$tenant}/tasks/$task", params: { tenant, task } });
}
