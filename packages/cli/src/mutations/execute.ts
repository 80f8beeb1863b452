import { isObject } from "@lading/schema/internal/is-object";
import { CliError } from "../exit.ts";
import { graphql } from "../service/documents.ts";
import { type Endpoint, request, requestAny, Unreachable } from "../service/graphql.ts";
import type { Mutation } from "./file.ts";
import { resolvedMembers, UnresolvedReference } from "./references.ts";

export interface Outcome {
  name: string;
  index: number;
  /** The answer's `data`. */
  data?: unknown;
  error?: string;
}

const rootQuery = graphql(`
  query ReadTenant {
    tenant { id rootItemId vatTypes { id } }
  }`);

/** Reads the values that variables may use as `$root.…`. */
export async function rootOf(endpoint: Endpoint): Promise<Record<string, string | undefined>> {
  const { tenant } = await request(endpoint, rootQuery, {});
  return {
    TENANT_ID: tenant.id,
    TENANT_ROOT_ID: tenant.rootItemId,
    TENANT_DEFAULT_VATTYPE_ID: tenant.vatTypes[0]?.id,
  };
}

/**
 * Sends mutations in order, each once for each of its sets, and yields the outcomes. The caller may stop at a failure.
 */
export async function* execute(
  endpoint: Endpoint,
  mutations: readonly Mutation[],
  root: object,
  signal: AbortSignal,
): AsyncGenerator<Outcome> {
  const results: Record<string, unknown> = { root };
  for (const { name, mutation, sets } of mutations) {
    const answers: unknown[] = [];
    results[name] = answers;
    for (const [index, set] of sets.entries()) {
      if (signal.aborted) return;
      const outcome = await send(endpoint, mutation, set, results);
      answers.push(outcome.error === undefined ? outcome.data : undefined);
      yield { name, index, ...outcome };
    }
  }
}

async function send(
  endpoint: Endpoint,
  mutation: string,
  set: object,
  results: Record<string, unknown>,
): Promise<Pick<Outcome, "data" | "error">> {
  try {
    const variables = resolvedMembers(set, results);
    const data = await requestAny<Record<string, unknown>>(endpoint, mutation, variables);
    const error = failureIn(data);
    return error === undefined ? { data } : { data, error };
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    if (error instanceof CliError || error instanceof UnresolvedReference) return { error: error.message };
    throw error;
  }
}

/** The message of the first field whose value is a failure, as far as the mutation selects it. */
function failureIn(data: Record<string, unknown>): string | undefined {
  for (const value of Object.values(data)) {
    if (!isObject(value)) continue;
    const { errorName, error, message } = value;
    if (typeof errorName !== "string" && typeof error !== "string") continue;
    const text = String(error ?? message ?? errorName);
    return typeof errorName === "string" && text !== errorName ? `${text} (${errorName})` : text;
  }
  return undefined;
}
