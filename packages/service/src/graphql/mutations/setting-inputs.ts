import { type Intent, payloads } from "@lading/schema";
import { type GraphQLNullableInputType, getNullableType, isNonNullType } from "graphql";
import type { settingKinds } from "../../domain/settings/kinds.ts";
import { fieldsOf, inputType } from "../derive/from-zod.ts";

/** The fields of an input; marked ones are optional on create, and all are on update. */
export type InputFields = Readonly<Record<string, { type: GraphQLNullableInputType; optional: boolean }>>;

/** The fields of an intent's payload without the key, which has its own type. */
function inputFields(intent: Intent, key: string): InputFields {
  const fields = Object.entries(fieldsOf(payloads[intent])).filter(([field]) => field !== key);
  return Object.fromEntries(
    fields.map(([field, schema]) => {
      const type = inputType(schema, field);
      return [field, { type: getNullableType(type), optional: !isNonNullType(type) }];
    }),
  );
}

/** The fields of the inputs of every list of settings, by the singular of its name. */
export const settingInputs: { readonly [Name in keyof typeof settingKinds]: InputFields } = {
  language: inputFields("language/upsert", "code"),
  vatType: inputFields("vatType/upsert", "id"),
  priceVariant: inputFields("priceVariant/upsert", "identifier"),
  stockLocation: inputFields("stockLocation/upsert", "identifier"),
  market: inputFields("market/upsert", "identifier"),
  subscriptionPlan: inputFields("subscriptionPlan/upsert", "identifier"),
  pipeline: inputFields("orderPipeline/upsert", "id"),
};
