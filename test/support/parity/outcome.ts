import type { Problem } from "@lading/schema";
import { codeOf, type ErrorName, errorNames } from "../../../packages/service/src/errors.ts";
import type { OperationLog } from "../../../packages/service/src/tasks/logs.ts";

export interface Answer {
  __typename: string;
  errorName?: ErrorName;
  message?: string;
  errors?: Problem[];
  item?: { id?: string };
  [field: string]: unknown;
}

export interface Outcome {
  status: "success" | "partial" | "failure";
  statusCode: number;
  errorName: ErrorName | null;
  message: string | null;
  errors: Problem[];
}

export function outcomeOfAnswer({ errorName, message, errors = [] }: Answer): Outcome {
  if (errorName !== undefined) {
    const { statusCode } = errorNames[errorName];
    return { status: "failure", statusCode, errorName, message: message ?? null, errors };
  }
  const [first] = errors;
  if (first === undefined)
    return { status: "success", statusCode: 200, errorName: null, message: null, errors };
  return {
    status: "partial",
    statusCode: 206,
    errorName: nameOf(first.code),
    message: first.message,
    errors,
  };
}

/** The error that a code is of: an answer that is partial has the codes of what is left to do, and no name. */
const nameOf = (code: string): ErrorName | null =>
  Object.keys(errorNames)
    .filter(isErrorName)
    .find((name) => codeOf(name) === code) ?? null;

const isErrorName = (name: string): name is ErrorName => name in errorNames;

/** The outcome that a log entry tells of; that a wrong value was rendered from a template is left out. */
export function outcomeOfLog({ status, statusCode, errorName, message, errors }: OperationLog): Outcome {
  const plain = (text: string) => text.replaceAll(/ \(rendered from (?:a template|"(?:[^"\\]|\\.)*")\)/g, "");
  const details = (errors ?? []).map(({ code, message, path }) => ({ code, message: plain(message), path }));
  // A mutation that succeeded answers with the entity, not with a message.
  const said = status === "success" ? null : message && plain(message);
  return { status, statusCode, errorName, message: said, errors: details };
}

/**
 * Reduces an answer and an output to the fields that both have. An id may be an object in an output, and then holds
 * the other fields.
 */
export function inBoth(answer: Answer, output: object | null): { answer: object; output: object } {
  const flat = Object.fromEntries(fieldsOf(output ?? {}));
  const fields: Answer = { ...answer, ...(answer.item && { id: answer.item.id }) };
  const names = Object.keys(flat).filter((name) => fields[name] !== undefined && name !== "type");
  const pick = (from: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { answer: pick(fields), output: pick(flat) };
}

/** The fields of an output, with those of an id that is an object. */
function fieldsOf(output: object): [string, unknown][] {
  return Object.entries(output).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value !== "object" || value === null) return [[name, value]];
    if (name !== "id") return [];
    return fieldsOf(value).map(([inner, field]) => [inner === "value" ? name : inner, field]);
  });
}
