import {
  entityKindOf,
  type Intent,
  isIntent,
  isObject,
  nodeOf,
  nounOf,
  payloads,
  unwrapSchema,
} from "@lading/schema/internal";
import type { Operation } from "../operation.ts";
import { personalFields, personalKinds, type Replace } from "./personal-fields.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

/** Intents whose payloads may contain personal data. */
export const personalIntents: readonly Intent[] = [
  ...personalKinds.flatMap((kind) =>
    nounOf(kind)
      .intents.map((noun) => `${noun}/upsert`)
      .filter(isIntent),
  ),
  ...(["customer/update", "customer/group/update"] as const),
];

type Schema = Parameters<typeof nodeOf>[0];

/** A payload field: how to replace its text, or the fields of its objects. */
interface Field {
  readonly replace?: Replace | undefined;
  readonly fields?: Fields;
}
type Fields = ReadonlyMap<string, Field>;

/** Returns the rule for a text, by its type's name and its own; undefined keeps the text. */
type RuleOf = (type: string, name: string) => Replace | undefined;

/**
 * Derives the rules for all fields of an intent's payload from its schema.
 *
 * @throws Error for a text without an entry in `personalFields`: each needs a decision
 */
export const fieldsOfIntent = (intent: Intent, ruleOf = ruleInTable): Fields =>
  fieldsOf(payloads[intent], entityKindOf(intent) ?? intent, ruleOf);

const ruleInTable: RuleOf = (type, name) => {
  const known = personalFields[type];
  if (known !== undefined && Object.hasOwn(known, name)) return known[name];
  throw new Error(`personalFields does not say whether "${name}" of "${type}" is personal`);
};

function fieldsOf(schema: Schema, type: string, ruleOf: RuleOf): Fields {
  const node = nodeOf(schema);
  if (node.kind !== "object") throw new Error(`${type} is not an object`);
  const entries = Object.entries(node.fields);
  return new Map(entries.map(([name, field]) => [name, fieldOf(field, type, name, ruleOf)]));
}

function fieldOf(wrapped: Schema, type: string, name: string, ruleOf: RuleOf): Field {
  const { schema } = unwrapSchema(wrapped);
  const node = nodeOf(schema);
  if (node.kind === "list") return fieldOf(node.element, type, name, ruleOf);
  if (node.kind === "object") return { fields: fieldsOf(schema, schema.meta()?.id ?? name, ruleOf) };
  return node.kind === "string" ? { replace: ruleOf(type, name) } : {};
}

/** Returns the function that replaces personal data in a dump's operations with pseudonyms. */
export function anonymiser(pseudonyms: Pseudonyms): (operation: Operation) => Operation {
  const fieldsByIntent = new Map(personalIntents.map((intent) => [intent, fieldsOfIntent(intent)]));

  const replacedIn = (owner: Readonly<Record<string, unknown>>, fields: Fields): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(owner).map(([name, value]) => [name, replaced(value, fields.get(name), owner)]),
    );

  /** Drops fields that no payload has, because their content is unknown. */
  const replaced = (value: unknown, field: Field | undefined, owner: Parameters<Replace>[2]): unknown => {
    if (field === undefined) return undefined;
    if (Array.isArray(value)) return value.map((element) => replaced(element, field, owner));
    if (isObject(value)) return field.fields && replacedIn(value, field.fields);
    if (typeof value !== "string" || value === "" || field.replace === undefined) return value;
    return field.replace(value, pseudonyms, owner);
  };

  return (operation) => {
    const known = fieldsByIntent.get(operation.intent);
    return known === undefined ? operation : { ...operation, fields: replacedIn(operation.fields, known) };
  };
}
