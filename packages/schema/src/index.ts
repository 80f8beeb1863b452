export type {
  ComponentConfig,
  ComponentContent,
  ComponentDefinition,
  NestableContent,
} from "./components/component.ts";
export { type ComponentType, componentTypes } from "./components/types.ts";
export * from "./content/index.ts";
export { type ContentModel, type ContentModelStep, contentModelSteps } from "./content-model/order.ts";
export * from "./conversion/index.ts";
export {
  byKind,
  type DumpKind,
  dumpKindOf,
  dumpKinds,
  type EntityKind,
  entityIdOf,
  entityKindOf,
  entityKinds,
  hasId,
  type IdentifiedKind,
  identifiedKinds,
  initialVatType,
  type KindIn,
  type KindWithId,
  keyFieldOf,
  kindsIn,
  type NaturalKey,
  naturalKeysOf,
  nounOf,
  type PathPlace,
  type PersonalKind,
  pathPlaceOf,
  someKeyText,
  titleOf,
} from "./identity/natural-key.ts";
export {
  isOpaque,
  type ReferenceFields,
  type Referred,
  referenceFields,
  withReferences,
} from "./identity/references.ts";
export { type ItemVersion, versionName, writtenId } from "./identity/version-name.ts";
export type * from "./input-types.ts";
export {
  type Action,
  actions,
  type Intent,
  intentNames,
  intents,
  isIntent,
  type Payload,
  payloads,
  type Written,
} from "./intents.ts";
export { isObject } from "./is-object.ts";
export { type CheckedOperation, checkOperation } from "./operation/check-operation.ts";
export { isEnvelopeField, type OwnResults, ownResult } from "./operation/envelope.ts";
export {
  definitionName,
  type JsonSchema,
  jsonSchemaFile,
  jsonSchemaTitle,
  massOperationJsonSchema,
} from "./operation/json-schema.ts";
export { parsePayload } from "./operation/parse-payload.ts";
export { filePayloads, operationFileSchema, operationSchema, versionPattern } from "./operation/schemas.ts";
export { skeletonOf } from "./operation/skeleton.ts";
export { settingKeys } from "./operation-file/check/later-settings.ts";
export * from "./operation-file/index.ts";
export { type Cause, Causes, causeLength, causeOf } from "./problems/causes.ts";
export { type JsonPath, pointerKeys, toPointer } from "./problems/json-pointer.ts";
export { nearest } from "./problems/nearest.ts";
export {
  asSentence,
  didYouMean,
  didYouMeanOneOf,
  mostNames,
  oneOf,
  quoted,
  shortened,
  someOf,
} from "./problems/phrases.ts";
export { type Problem, problemText } from "./problems/problem.ts";
export { partLimits } from "./resources/part-limits.ts";
export type { SettingIntent } from "./resources/setting.ts";
export { same } from "./same.ts";
export { nodeOf, type SchemaNode, unwrap as unwrapSchema } from "./schema-walk/node.ts";
export { slug } from "./slug.ts";
export * from "./templates/index.ts";
export { priceRange, type ValueRule, valueRules } from "./value-rules.ts";
