import type { Intent } from "@lading/schema";
import { getNamedType, isUnionType } from "graphql";
import { coreSchema } from "../../../packages/service/src/graphql/core-schema.ts";
import { type MutationShape, mutations } from "../../../packages/service/src/graphql/entities.ts";
import { isErrorType } from "../../../packages/service/src/graphql/types/errors.ts";

export interface Operation {
  intent: Intent;
  [field: string]: unknown;
}

export interface Call {
  query: string;
  variables: Record<string, unknown>;
}

/** An answer: the name of an expected failure, if it is one; `defect` describes what must never occur. */
export interface Answer {
  errorName?: string | undefined;
  id?: string | undefined;
  defect?: string | undefined;
}

const fields = coreSchema().getMutationType()?.getFields() ?? {};

/** The time without an answer after which a request counts as hanging, in milliseconds. */
const patience = 60_000;

export function mutationOf({ intent, ...payload }: Operation): Call {
  const { mutation, keys = {}, input }: MutationShape = mutations[intent];
  const rest: Record<string, unknown> = { ...payload };
  const given: Record<string, unknown> = {};
  for (const [argument, field] of Object.entries(keys)) {
    if (field in rest) given[argument] = rest[field];
    delete rest[field];
  }
  return callOf(mutation, input === undefined ? { ...given, ...rest } : { ...given, input: rest });
}

export function callOf(name: string, variables: Record<string, unknown>): Call {
  const types = new Map(fields[name]?.args.map((argument) => [argument.name, argument.type]));
  const names = Object.keys(variables);
  const declared = names.map((argument) => `$${argument}: ${types.get(argument)}`).join(", ");
  const passed = names.map((argument) => `${argument}: $${argument}`).join(", ");
  const query = `mutation (${declared}) { done: ${name}(${passed}) {
    ... on BasicError { errorName message } ${successes(name)} } }`;
  return { query, variables };
}

/** Fragments of what a mutation answers when it succeeds, with the id if that is a topic. */
function successes(name: string): string {
  const type = getNamedType(fields[name]?.type);
  const types = isUnionType(type) ? type.getTypes() : [];
  const fragments = types
    .filter((answer) => !isErrorType(answer))
    .map((answer) => `... on ${answer.name} { ${answer.name === "Topic" ? "id" : "__typename"} }`);
  return fragments.join(" ");
}

/** Sends a call to a tenant's address. What the service masks, or does not answer, is a defect. */
export async function send(address: string, headers: Record<string, string>, call: Call): Promise<Answer> {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close", ...headers },
      body: JSON.stringify(call),
      signal: AbortSignal.timeout(patience),
    });
    const text = await response.text();
    if (response.status === 400 || response.status >= 500 || text.includes('"InternalError"'))
      return { defect: `${response.status} ${text} to ${JSON.stringify(call)}` };
    return answerIn(text, response.status, call);
  } catch (error) {
    return { defect: `${error} to ${JSON.stringify(call)}` };
  }
}

function answerIn(text: string, status: number, call: Call): Answer {
  const { data, errors } = JSON.parse(text) as {
    data?: { done?: { errorName?: string; id?: string } | null };
    errors?: { message: string }[];
  };
  if (errors !== undefined && status === 200)
    return { defect: `${errors[0]?.message} to ${JSON.stringify(call)}` };
  if (data?.done === undefined) return { errorName: `${status}` };
  // Null: done, and another writer has deleted the row before it was read.
  return { errorName: data.done?.errorName, id: data.done?.id };
}
