export { type CheckOptions, checkOperationFile, type FileReport } from "./check-operation-file.ts";
export { type Fault, type FaultCode, OperationFileError } from "./fault.ts";
export { type Issue, type IssueCode, issueCodes, issueText } from "./issue.ts";
export { fileLimits } from "./limits.ts";
export { type PlacedOperation, placedOperations, placeOf } from "./placed-operations.ts";
export { type OperationText, readOperations } from "./read-operations.ts";
export type { ReferenceLifetime, ReferenceName } from "./references.ts";
export { eachTemplate, mayHaveTemplates } from "./template-strings.ts";
