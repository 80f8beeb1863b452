import type { z } from "zod";
import type { IntentRow } from "./intent-rows.ts";
import { customerIntents } from "./resources/customer.ts";
import { flowContentIntents, flowIntents } from "./resources/flow.ts";
import { imageIntents } from "./resources/image.ts";
import { itemActionIntents, itemIntents } from "./resources/item.ts";
import { pathIntents } from "./resources/item-paths.ts";
import { orderIntents } from "./resources/order.ts";
import { priceListIntents } from "./resources/pricelist.ts";
import { variantIntents } from "./resources/product-variant.ts";
import { settingIntents } from "./resources/setting.ts";
import { contentModelIntents } from "./resources/shape.ts";
import { contractIntents } from "./resources/subscription-contract.ts";
import { topicIntents } from "./resources/topic.ts";
import { plainScalars, type Scalars } from "./scalars.ts";
import { keysOf } from "./tables.ts";

const rows = {
  ...contentModelIntents,
  ...itemIntents,
  ...variantIntents,
  ...itemActionIntents,
  ...pathIntents,
  ...flowContentIntents,
  ...imageIntents,
  ...customerIntents,
  ...orderIntents,
  ...contractIntents,
  ...priceListIntents,
  ...topicIntents,
  ...flowIntents,
  ...settingIntents,
};

export type Intent = keyof typeof rows;

/** An upsert may only act as existing intents. */
type Row = IntentRow & { readonly actsAs?: readonly [creates: Intent, updates: Intent] };

/** THE list: every intent with its row. Unions, types, JSON Schema, references, messages and pages derive from it. */
export const intents: { readonly [I in Intent]: Row } = rows;

export const intentNames: readonly Intent[] = keysOf(rows);

export function isIntent(name: unknown): name is Intent {
  return typeof name === "string" && Object.hasOwn(rows, name);
}

const creates: ReadonlySet<unknown> = new Set(
  Object.values<IntentRow>(rows).map(({ actsAs }) => actsAs?.[0]),
);

/** Says why an intent takes no `_ifUnchangedSince`; undefined if it takes it. */
export function objectionToCondition(intent: Intent): string | undefined {
  if (creates.has(intent)) return "it creates, and what does not exist has not changed";
  return intents[intent].untimed && "what it writes has no updatedAt";
}

/** Builds a table with a value per intent, in list order. A value is made when it is first read. */
export function byIntent<T>(valueFor: (intent: Intent) => T): Readonly<Record<Intent, T>> {
  const table = {} as Record<Intent, T>;
  const define = (intent: Intent, value: PropertyDescriptor) =>
    Object.defineProperty(table, intent, { configurable: true, enumerable: true, ...value });
  for (const intent of intentNames)
    define(intent, {
      get() {
        const value = valueFor(intent);
        define(intent, { value });
        return value;
      },
    });
  return table;
}

type Payloads = { readonly [I in Intent]: ReturnType<(typeof rows)[I]["payload"]> };

export const payloadOver = (intent: Intent, s: Scalars): z.ZodObject =>
  intents[intent].payload(s).describe(intents[intent].about);

/** The plain form of every payload, without `intent` and `_ref`. Unknown fields are stripped. */
export const payloads = byIntent((intent) => payloadOver(intent, plainScalars)) as Payloads;

/** An intent's payload as its command gets it: rendered, validated and normalised. */
export type Payload<I extends Intent> = z.output<Payloads[I]>;

/**
 * A value as written in a file, before rendering: any scalar may be a template, which is a string. Assignable
 * from the rendered value.
 */
export type Written<Value> = Value extends string
  ? string
  : Value extends number | boolean
    ? Value | string
    : Value extends readonly (infer Element)[]
      ? readonly Written<Element>[]
      : Value extends object
        ? { readonly [Name in keyof Value]: Written<Value[Name]> }
        : Value;
