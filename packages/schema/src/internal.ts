/** Exports for Lading's other packages, which no version promises (docs/versions.md). */

export {
  type Action,
  actions,
  type BulkTaskKind,
  type BulkTaskStatus,
  bulkTaskKinds,
  bulkTaskStatuses,
  type OperationStatus,
  operationStatuses,
  startTime,
  type TokenRole,
  tokenRoles,
} from "./bulk-task.ts";
export type {
  ComponentConfig,
  ComponentContent,
  ComponentDefinition,
  NestableContent,
} from "./components/component.ts";
export { type ComponentType, componentTypes } from "./components/types.ts";
export { compileContent, isShared } from "./content/compile.ts";
export * from "./content/component-keys.ts";
export { validateDefinitions } from "./content/definitions.ts";
export { leafChecks } from "./content/leaf-checks.ts";
export { ceilings } from "./content/limits.ts";
export * from "./content/problems.ts";
export { type Renamed, renameComponent } from "./content/rename-component.ts";
export type { FileUse, PatternTime, RelationUse, Uses } from "./content/report.ts";
export { plainTextOf } from "./content/rich-text.ts";
export type { CompiledContent, PieceLookup, ValidatedContent } from "./content/walk.ts";
export { type ContentModel, type ContentModelStep, contentModelSteps } from "./content-model/order.ts";
export { checkConversionMap, conditionsOf } from "./conversion/check-map.ts";
export { exportMark, exportMarkLength, guardedText } from "./conversion/export-mark.ts";
export {
  type CellSettings,
  type ColumnSettings,
  type ColumnType,
  type Conditions,
  type ConversionMap,
  comparisons,
  directives,
  firstRow,
} from "./conversion/map-schema.ts";
export { locateProblems, readJson } from "./conversion/read-json.ts";
export { type ExportColumn, type ExportKind, exportKinds, personalExportKinds } from "./export-kinds.ts";
export {
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
  type PathLocation,
  type PersonalKind,
  pathLocationOf,
  someKeyText,
  titleOf,
} from "./identity/natural-key.ts";
export {
  type ItemVersion,
  isOpaque,
  type ReferenceFields,
  type Referred,
  referenceFields,
  versionName,
  withReferences,
  writtenId,
} from "./identity/references.ts";
export * from "./index.ts";
export type * from "./input-types.ts";
export { intents, objectionToCondition, type Written } from "./intents.ts";
export { isObject } from "./is-object.ts";
export { isEnvelopeField, type OwnResults, ownResult } from "./operation/envelope.ts";
export { definitionName, jsonSchemaFile, jsonSchemaTitle } from "./operation/json-schema.ts";
export { changeTime, filePayloads, operationFileSchema, versionPattern } from "./operation/schemas.ts";
export { type HasSetting, settingKeys } from "./operation-file/check/later-settings.ts";
export type { ReferenceLifetime, ReferenceName } from "./operation-file/check/references.ts";
export { eachTemplate } from "./operation-file/check/template-strings.ts";
export { changesWhenRead } from "./operation-file/check/text-findings.ts";
export type { ListPosition } from "./operation-file/read/boundary-state.ts";
export { invalidUtf8At } from "./operation-file/read/encoding.ts";
export {
  type LocatedOperation,
  locatedOperations,
  positionInFile,
} from "./operation-file/read/located-operations.ts";
export { type OperationSource, withResults, withSource } from "./operation-file/rewrite.ts";
export { type Cause, Causes, causeLength, causeOf } from "./problems/causes.ts";
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
  suggestion,
} from "./problems/phrases.ts";
export { partLimits, type SettingIntent } from "./resources/setting.ts";
export { same } from "./same.ts";
export { nodeOf, type SchemaNode, unwrap as unwrapSchema } from "./schema-walk/node.ts";
export { slug } from "./slug.ts";
export { byKey, keysOf } from "./tables.ts";
export type { CallUse } from "./templates/analyse/analyse.ts";
export { Failure } from "./templates/evaluate/failure.ts";
export { describe, list } from "./templates/evaluate/messages.ts";
export { Pending, type Renderer, type Run, runTemplate } from "./templates/evaluate/run.ts";
export type {
  Helper,
  ReferenceValue,
  Rendering,
  TemplateScope,
} from "./templates/evaluate/template-scope.ts";
export { fetchVersions, idOfKeys, misuseOf, type WrittenCall } from "./templates/helpers.ts";
export { hasTemplate, mayHaveTemplates } from "./templates/is-template.ts";
export { renderLimits, templateLimits } from "./templates/limits.ts";
export { literalTemplate } from "./templates/literal.ts";
export { defaultVariables } from "./templates/names.ts";
export { parsingAllowance, tooMuchToParse } from "./templates/parse/parsing-allowance.ts";
export { TemplateSyntaxError } from "./templates/parse/syntax-error.ts";
export {
  isPicturePath,
  misuseOfPicturePath,
  mostPictures,
  pictureNotGiven,
} from "./templates/picture-path.ts";
export { needsParsing, rendererOf, usesOf } from "./templates/template.ts";
export { priceRange, type ValueRule, valueRules } from "./value-rules.ts";
