export {
  fetchVersions,
  helperNames,
  misuseOf,
  operationHelpers,
  type WrittenCall,
} from "./helper-calls.ts";
export { literalTemplate } from "./literal.ts";
export { blockNames, defaultsName, defaultVariables, misuseOfBlock, unsupportedParts } from "./names.ts";
export {
  bracesAdvice,
  hasTemplate,
  type Program,
  parseTemplate,
  TemplateSyntaxError,
} from "./parse-template.ts";
export { parsingAllowance, tooMuchToParse } from "./parsing-allowance.ts";
export { plainPath } from "./plain-path.ts";
export { type CallUse, type ReferenceUse, referencesOf, usesOf } from "./references-of.ts";
export { hasProperty, type ResultBranch, resultProperties } from "./result-properties.ts";
export { templateLimits } from "./template-extent.ts";
