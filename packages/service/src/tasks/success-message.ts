import { intents, isIntent } from "@lading/schema";
import { differingContent, orphanedContent } from "./content-facts.ts";
import { droppedHistory } from "./path-facts.ts";
import { removedParts } from "./removed-fact.ts";
import { keptValues } from "./upload-facts.ts";

/** The part of a log entry that tells what an operation did. */
export interface Done {
  intent: string;
  action: string | null;
  /** The operation's result, as its command returned it. */
  output: unknown;
}

type Output = Record<string, unknown>;

/** Turns one fact of an output into a sentence without a full stop; undefined when the output does not have that fact. */
export type Fact = (output: Output) => string | undefined;

/** The facts that a message states after the action, in this order. */
const facts: readonly Fact[] = [removedParts, orphanedContent, differingContent, keptValues, droppedHistory];

/**
 * Says in a few words what a successful operation did: `created product 6561f0c2a1b2c3d4e5f60718 (en)`, and then the
 * facts of its output. Derived when an entry is read, so that entries of earlier versions have it too.
 */
export function successMessage(done: Done, told: readonly Fact[] = facts): string {
  const subject = [subjectOf(done.intent), ...nameOf(outputOf(done))].join(" ");
  const unchanged = done.action === null || done.action === "unchanged";
  const message = unchanged ? `unchanged: ${subject}` : `${done.action} ${subject}`;
  return [message, ...factsOf(done, told)].join("; ");
}

/** The facts of an output, one sentence each. A partial operation states them after its first problem. */
export const factsOf = (done: Done, told: readonly Fact[] = facts): string[] =>
  told.map((fact) => fact(outputOf(done))).filter((text) => text !== undefined);

const outputOf = ({ output }: Done): Output => (isObject(output) ? output : {});

const isObject = (value: unknown): value is Output => typeof value === "object" && value !== null;

/** The key by which people know the entity, in quotes, or its id; and the language, if the result has one. */
function nameOf({ sku, identifier, key, id, language }: Output): string[] {
  const nested: Output = isObject(id) ? id : { id };
  const given = sku ?? identifier ?? key;
  const name = typeof given === "string" ? `"${given}"` : (nested.id ?? nested.value);
  const spoken = language ?? nested.language;
  return [name, typeof spoken === "string" ? `(${spoken})` : undefined].filter(
    (part) => typeof part === "string",
  );
}

/** Entries of earlier versions may be of intents that are gone. */
const subjectOf = (intent: string) => (isIntent(intent) ? intents[intent].subject : intent);
