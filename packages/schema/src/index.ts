export { type CheckedOperation, checkOperation } from "./check.ts";
export type {
  ComponentConfig,
  ComponentContent,
  ComponentDefinition,
  NestableContent,
} from "./components/component.ts";
export { type ComponentType, componentTypes } from "./components/types.ts";
export { type PayloadError, toPointer } from "./errors.ts";
export {
  filePayloads,
  type Intent,
  intentNames,
  isIntent,
  operationFileSchema,
  operationSchema,
  type Payload,
  payloads,
  versionPattern,
} from "./intents.ts";
export { nearest } from "./nearest.ts";
export { parsePayload } from "./parse.ts";
export type * from "./parts.ts";
