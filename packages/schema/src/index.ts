export { type Action, actions } from "./actions.ts";
export { type CheckedOperation, checkOperation } from "./check.ts";
export type {
  ComponentConfig,
  ComponentContent,
  ComponentDefinition,
  NestableContent,
} from "./components/component.ts";
export { type ComponentType, componentTypes } from "./components/types.ts";
export * from "./content/index.ts";
export { errorText, type PayloadError, toPointer } from "./errors.ts";
export { type Intent, intentNames, isIntent, type Payload, payloads } from "./intents.ts";
export { massOperationJsonSchema } from "./json-schema.ts";
export { nearest } from "./nearest.ts";
export * from "./operation-file/index.ts";
export { filePayloads, operationFileSchema, operationSchema, versionPattern } from "./operations.ts";
export { parsePayload } from "./parse.ts";
export type * from "./parts.ts";
export { skeletonOf } from "./skeleton.ts";
export { slug } from "./slug.ts";
export * from "./templates/index.ts";
export { priceRange, type ValueRule, valueRules } from "./value-rules.ts";
