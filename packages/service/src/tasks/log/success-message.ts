import { intents, isIntent, isObject, quoted } from "@lading/schema/internal";
import { hasUnknownKey } from "../../uploads/keys.ts";
import { type Fact, isOutput, type LoggedOutput, statedFacts } from "../facts.ts";

/** The parts of a log entry that say what an operation did. */
interface ExecutedOperation {
  intent: string;
  action: string | null;
  /** The operation as executed. */
  command?: unknown;
  /** The operation's output, as its command returned it. */
  output: unknown;
}

/**
 * Describes a successful operation: `created product "Teapot" (6561f0c2a1b2c3d4e5f60718, en)`, then the facts of
 * its output.
 * Derived on reading, so that all entries of a log have the same wording.
 */
export function successMessage(operation: ExecutedOperation, facts: readonly Fact[] = statedFacts): string {
  const { intent, action } = operation;
  const subject = [subjectOf(intent), ...nameOf(outputOf(operation), operation.command)].join(" ");
  const message =
    action === null || action === "unchanged" ? `unchanged: ${subject}` : `${action} ${subject}`;
  return [message, ...factsOf(operation, facts)].join("; ");
}

/** The facts of an output, one sentence each. A partial operation states them after its first problem. */
export const factsOf = (operation: ExecutedOperation, facts: readonly Fact[] = statedFacts): string[] =>
  facts.map((fact) => fact(outputOf(operation))).filter((text) => text !== undefined);

const outputOf = ({ output }: ExecutedOperation) => (isOutput(output) ? output : {});

/**
 * The key by which people know the entity, in quotes, or its id; after the name that the operation gives it; and the
 * result's language, if any.
 */
function nameOf(output: LoggedOutput, command: unknown): string[] {
  const { sku, identifier, code, key, id } = output;
  const nested: Record<string, unknown> = isObject(id) ? id : { id };
  const given: Record<string, unknown> = isObject(command) ? command : {};
  const language = [output.language ?? nested.language].filter(isText);
  const [naturalKey] = [sku, identifier, code, key].filter(isText);
  if (naturalKey !== undefined) return [`"${naturalKey}"`, ...inParentheses(language)];
  const known = [nested.id ?? nested.value].filter(isText);
  const [name] = [given.name, given.resourceIdentifier].filter(isText);
  if (!name || hasUnknownKey(name)) return [...known, ...inParentheses(language)];
  return [quoted(name), ...inParentheses([...known, ...language])];
}

const isText = (part: unknown) => typeof part === "string";
const inParentheses = (parts: readonly string[]) => (parts.length === 0 ? [] : [`(${parts.join(", ")})`]);

/** Logs keep intents that a later version has removed. */
const subjectOf = (intent: string) => (isIntent(intent) ? intents[intent].subject : intent);
