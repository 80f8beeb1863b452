import { errorNames } from "../../../packages/service/src/errors.ts";
import type { OperationLog } from "../../../packages/service/src/tasks/logs.ts";

interface Detail {
  code: string;
  message: string;
  path: (string | number)[];
}

/** What a mutation answers. */
export interface Answer {
  __typename: string;
  errorName?: keyof typeof errorNames;
  message?: string;
  errors?: Detail[];
  [field: string]: unknown;
}

/** An outcome, however the operation was executed. */
export interface Outcome {
  status: "success" | "partial" | "failure";
  statusCode: number;
  message: string | null;
  errors: Detail[];
}

/** The outcome that a mutation's answer tells of. */
export function outcomeOfAnswer({ errorName, message, errors = [] }: Answer): Outcome {
  if (errorName !== undefined) {
    const details = errors.length > 0 ? errors : [{ code: errorName, message: message ?? "", path: [] }];
    const { statusCode } = errorNames[errorName];
    return { status: "failure", statusCode, message: message ?? null, errors: details };
  }
  if (errors.length === 0) return { status: "success", statusCode: 200, message: null, errors };
  return { status: "partial", statusCode: 206, message: errors[0]?.message ?? null, errors };
}

/** The outcome that a log entry tells of; that a wrong value was rendered from a template is left out. */
export function outcomeOfLog({ status, statusCode, message, errors }: OperationLog): Outcome {
  const plain = (text: string) => text.replaceAll(" (rendered from a template)", "");
  const details = (errors ?? []).map(({ code, message, path }) => ({ code, message: plain(message), path }));
  // A mutation that succeeded answers with the entity, not with a message.
  const said = status === "success" ? null : message && plain(message);
  return { status, statusCode, message: said, errors: details };
}

/**
 * What an answer and an output both say, by the name of the field: an id may be an object in an output, which holds the
 * other fields then.
 */
export function inBoth(answer: Answer, output: object | null): { answer: object; output: object } {
  const flat = Object.fromEntries(leavesOf(output ?? {}));
  const item = answer.item as { id?: string } | undefined;
  const said = { ...answer, ...(item && { id: item.id }) } as Record<string, unknown>;
  const names = Object.keys(flat).filter((name) => said[name] !== undefined && !(name === "type"));
  const pick = (from: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { answer: pick(said), output: pick(flat) };
}

function leavesOf(output: object): [string, unknown][] {
  return Object.entries(output).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null) return [[name, value] as [string, unknown]];
    return leavesOf(value).map(
      ([inner, leaf]) => [inner === "value" ? name : inner, leaf] as [string, unknown],
    );
  });
}
