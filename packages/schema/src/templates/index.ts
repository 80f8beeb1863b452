export { blockNames, defaultsName, defaultVariables, helperNames, operationHelpers } from "./names.ts";
export { hasTemplate, type Program, parseTemplate, TemplateSyntaxError } from "./parse-template.ts";
export { plainPath } from "./plain-path.ts";
export { type ReferenceUse, referencesOf } from "./references-of.ts";
export { hasProperty, type ResultBranch, resultProperties } from "./result-properties.ts";
export { templateLimits } from "./template-extent.ts";
