export { type CheckOptions, checkOperationFile, type FileReport } from "./check/check-operation-file.ts";
export type { ReferenceLifetime, ReferenceName } from "./check/references.ts";
export { eachTemplate } from "./check/template-strings.ts";
export { fileLimits } from "./read/limits.ts";
export { type LocatedOperation, locatedOperations, positionInFile } from "./read/located-operations.ts";
export { OperationFileError, type ParseError, type ParseErrorCode } from "./read/parse-error.ts";
export { type OperationText, readOperations } from "./read/read-operations.ts";
export { type Issue, type IssueCode, issueCodes, issueText } from "./report/issue.ts";
