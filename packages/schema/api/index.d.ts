import { Intent, Intent as Intent$1, Payload, Payload as Payload$1, intentNames, isIntent, payloads } from "./intents.js";
interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}
interface TextPosition extends LineAndColumn {
  readonly offset: number;
}
type JsonPath = readonly (string | number)[];
export declare function toPointer(path: JsonPath): string;
export declare function pointerKeys(pointer: string): string[];
interface Problem {
  code: string;
  message: string;
  path: JsonPath;
}
export declare function problemText({ path, message }: Problem): string;
interface LocatedProblem extends Problem, TextPosition {}
interface CheckedOperation {
  intent?: Intent$1;
  ref?: string;
  errors: Problem[];
  warnings: Problem[];
}
export declare function checkOperation(value: unknown): CheckedOperation;
interface JsonSchema {
  $schema?: string;
  $ref?: string;
  title?: string;
  description?: string;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  type?: string | string[];
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  const?: unknown;
  enum?: string[];
  enumDescriptions?: string[];
  errorMessage?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  definitions?: Record<string, JsonSchema>;
}
export declare function massOperationJsonSchema(): JsonSchema;
type Parsed<I extends Intent$1> = {
  payload: Payload$1<I>;
} | {
  errors: Problem[];
};
export declare function parsePayload<I extends Intent$1>(intent: I, value: unknown): Parsed<I>;
export declare function skeletonOf(intent: Intent$1): Record<string, unknown>;
interface OperationText {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
export declare function readOperations(stream: AsyncIterable<Uint8Array>): AsyncGenerator<OperationText[]>;
interface Issue {
  severity: "error" | "warning";
  code: string;
  message: string;
  pointer: string;
  operationIndex: number | null;
  intent: string | null;
  ref: string | null;
  line: number | null;
  column: number | null;
  offset: number | null;
}
declare const meanings: {
  EmptyFile: string;
  WrongType: string;
  InvalidJson: string;
  InvalidEncoding: string;
  TruncatedFile: string;
  ContentAfterEnd: string;
  TooLarge: string;
  NestedTooDeep: string;
  NulCharacter: string;
  UnpairedSurrogate: string;
  MissingField: string;
  InvalidVersion: string;
  DuplicateKey: string;
  ChangedNumber: string;
  UnknownField: string;
  InvalidTemplate: string;
  UnsupportedTemplate: string;
  UnknownHelper: string;
  HelperArguments: string;
  UnusablePicture: string;
  UnknownDefault: string;
  UndefinedReference: string;
  ForwardReference: string;
  LaterSetting: string;
  DuplicateReference: string;
  ReservedReference: string;
  UnknownProperty: string;
  Placeholder: string;
  BranchProperty: string;
};
type IssueCode = keyof typeof meanings;
export declare const issueCodes: Readonly<Record<IssueCode, string>>;
export declare function issueText(issue: Issue): string;
type OnIssue = (severity: Issue["severity"], message: string, pointer: string, code: string) => ((issue: Issue) => void) | undefined;
export declare const operationHelpers: {
  readonly upload: readonly ["url", "resourceIdentifier?"];
  readonly valueOf: readonly ["entity", "property"];
  readonly fetchItemById: readonly ["id", "language?", "version?"];
  readonly fetchItemByResourceIdentifier: readonly ["resourceIdentifier", "language?", "version?"];
  readonly fetchProductVariantBySku: readonly ["sku", "language?", "version?"];
  readonly fetchTopicByResourceIdentifier: readonly ["resourceIdentifier", "language?"];
  readonly fetchImageByResourceIdentifier: readonly ["resourceIdentifier", "language?"];
  readonly fetchOrderById: readonly ["id"];
  readonly fetchSubscriptionContractById: readonly ["id"];
  readonly fetchCustomerByIdentifier: readonly ["identifier"];
  readonly fetchCustomerGroupByIdentifier: readonly ["identifier"];
  readonly fetchPriceListByIdentifier: readonly ["identifier"];
  readonly idOf: readonly ["kind", "by", "key", "within?"];
};
interface PictureCheck {
  readonly severity: Issue["severity"];
  problemOf(path: string, sha256?: string): string | undefined;
}
interface FileReport {
  version: string | null;
  operations: number;
  bytes: number;
  sha256: string;
  errorCount: number;
  warningCount: number;
  issues: Issue[];
}
interface CheckOptions {
  strict?: boolean;
  pictures?: PictureCheck;
  onIssue?: OnIssue;
  onProgress?(bytes: number): void;
  onOperation?(operation: OperationText & {
    intent: string | null;
    ref: string | null;
    line: number;
    column: number;
  }): void;
}
export declare function checkOperationFile(stream: AsyncIterable<Uint8Array>, options?: CheckOptions): Promise<FileReport>;
export declare const fileLimits: {
  readonly valueBytes: number;
  readonly values: 100000;
  readonly depth: 64;
  readonly issues: 1000;
  readonly contentModel: number;
};
interface ParseError extends TextPosition {
  readonly code: ParseErrorCode;
  readonly message: string;
  readonly pointer: string;
  readonly operationIndex: number | null;
}
type ParseErrorCode = "EmptyFile" | "WrongType" | "InvalidJson" | "InvalidEncoding" | "TruncatedFile" | "ContentAfterEnd" | "DuplicateKey" | "NestedTooDeep" | "TooLarge";
export declare class OperationFileError extends Error {
  readonly name = "OperationFileError";
  readonly error: ParseError;
  constructor(error: ParseError);
}
interface ResultBranch {
  readonly intent: Intent$1;
  readonly properties: readonly (readonly string[])[];
}
export declare const resultProperties: Readonly<Record<Intent$1, readonly ResultBranch[]>>;
export { type CheckOptions, type CheckedOperation, type FileReport, type Intent, type Issue, type IssueCode, type JsonPath, type JsonSchema, type LocatedProblem, type OnIssue, type OperationText, type ParseError, type ParseErrorCode, type Payload, type PictureCheck, type Problem, type ResultBranch, intentNames, isIntent, payloads };
