import { useQuery } from "@tanstack/react-query";
import type { VariablesOf } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { messagesDocument } from "./documents.ts";

/** Failures of one intent with the same cause. */
export interface Group {
  cause: string;
  errorName: string;
  statusCode: number;
  intent: string;
  count: number;
  firstIndex: number;
}

/** Maximum failures of a group whose messages are compared. */
const mostCompared = 100;

/** The message of a group's failures, including its values if all have the same ones; otherwise undefined. */
export function useCauseMessage(task: string, group: Group, unrepaired: boolean): string | undefined {
  const tenant = useTenant();
  const { count } = group;
  const filter = filterOf(task, group, unrepaired);
  const { data } = useQuery({
    queryKey: ["task", tenant, task, "messages", filter, count],
    queryFn: async ({ signal }) => {
      const { operationLogs } = await request(tenant, messagesDocument, { filter, first: count }, signal);
      const messages = operationLogs?.edges.map(({ node }) => node.message) ?? [];
      return commonMessage(messages, count);
    },
    enabled: count <= mostCompared,
  });
  return data ?? undefined;
}

/** The message common to all `count` failures; null if they differ or are incomplete. */
export function commonMessage(messages: readonly (string | null)[], count: number): string | null {
  const [first = null, ...others] = new Set(messages);
  return messages.length === count && others.length === 0 ? first : null;
}

function filterOf(
  operationId: string,
  { cause, errorName, statusCode, intent }: Group,
  unrepaired: boolean,
): VariablesOf<typeof messagesDocument>["filter"] {
  return { operationId, cause, errorName, statusCode, operationTypeStartsWith: intent, unrepaired };
}
