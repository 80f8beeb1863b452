import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { TadaDocumentNode } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/use-tenant.ts";

/** Sends a mutation of a task, and lets what is shown of tasks be read again. */
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

/** Goes to the page of a task. */
export function useOpenTask() {
  const tenant = useTenant();
  const navigate = useNavigate();
  return (task: string) => navigate({ to: "/@{$tenant}/tasks/$task", params: { tenant, task } });
}
