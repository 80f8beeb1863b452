import type { JsonPath } from "@lading/schema";
import {
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { reject } from "../../errors.ts";

/** Maximum number of keys in a filter's list: the size of the largest page. */
export const maximumKeys = 1_000;

/**
 * Checks arguments beyond what GraphQL checks. Rejects with `ValidationError` a text that no column can store (NUL or
 * an unpaired surrogate), a filter that lists more than `maximumKeys`, and a variable whose text is not a value of the
 * enum it is used for: the lenient rules make variables of text types interchangeable.
 */
export function checkArguments(
  given: Readonly<Record<string, unknown>>,
  args: GraphQLFieldConfigArgumentMap,
): void {
  for (const [name, value] of Object.entries(given)) check(value, args[name]?.type, [name]);
}

function check(value: unknown, type: GraphQLInputType | undefined, path: JsonPath): void {
  if (isNonNullType(type)) check(value, type.ofType, path);
  else if (typeof value === "string") checkText(value, type, path);
  else if (Array.isArray(value)) {
    if (path[0] === "filter" && value.length > maximumKeys)
      reject("ValidationError", `${path.join(".")} lists ${value.length}; the limit is ${maximumKeys}`, path);
    const element = isListType(type) ? type.ofType : undefined;
    for (const [index, member] of value.entries()) check(member, element, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    const fields = isInputObjectType(type) ? type.getFields() : {};
    for (const [key, member] of Object.entries(value)) check(member, fields[key]?.type, [...path, key]);
  }
}

function checkText(text: string, type: GraphQLInputType | undefined, path: JsonPath): void {
  if (text.includes("\0") || !text.isWellFormed())
    reject("ValidationError", `${path.join(".")} contains a NUL character or an unpaired surrogate`, path);
  if (!isEnumType(type) || type.getValue(text)) return;
  const names = type.getValues().map(({ name }) => name);
  reject("ValidationError", `${path.join(".")} is "${text}"; it must be one of ${names.join(", ")}`, path);
}
