export type { LocatedProblem } from "./conversion/read-json.ts";
export { type Intent, intentNames, isIntent, type Payload, payloads } from "./intents.ts";
export { type CheckedOperation, checkOperation } from "./operation/check-operation.ts";
export { type JsonSchema, massOperationJsonSchema } from "./operation/json-schema.ts";
export { parsePayload } from "./operation/parse-payload.ts";
export { skeletonOf } from "./operation/skeleton.ts";
export {
  type CheckOptions,
  checkOperationFile,
  type FileReport,
} from "./operation-file/check/check-operation-file.ts";
export type { PictureCheck } from "./operation-file/check/template-findings.ts";
export { fileLimits } from "./operation-file/read/limits.ts";
export {
  OperationFileError,
  type ParseError,
  type ParseErrorCode,
} from "./operation-file/read/parse-error.ts";
export { type OperationText, readOperations } from "./operation-file/read/read-operations.ts";
export { type Issue, type IssueCode, issueCodes, issueText } from "./operation-file/report/issue.ts";
export type { OnIssue } from "./operation-file/report/issue-list.ts";
export { type JsonPath, pointerKeys, toPointer } from "./problems/json-pointer.ts";
export { type Problem, problemText } from "./problems/problem.ts";
export { operationHelpers } from "./templates/helpers.ts";
export { type ResultBranch, resultProperties } from "./templates/result-properties.ts";
