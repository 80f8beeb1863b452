import { Intent, Intent as Intent$1, Payload, Payload as Payload$1, intentNames, isIntent, payloads } from "./intents.js";
import { SettingIntent } from "./resources/setting.js";
type JsonPath = readonly (string | number)[];
export declare function toPointer(path: JsonPath): string;
export declare function pointerKeys(pointer: string): string[];
interface Problem {
  code: string;
  message: string;
  path: JsonPath;
}
export declare function problemText({ path, message }: Problem): string;
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
type RenderedTexts = Readonly<Record<string, unknown>>;
export declare function parsePayload<I extends Intent$1>(intent: I, value: unknown, texts?: RenderedTexts, source?: object): {
  payload: Payload$1<I>;
} | {
  errors: Problem[];
};
export declare function skeletonOf(intent: Intent$1): Record<string, unknown>;
interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}
interface TextPosition extends LineAndColumn {
  readonly offset: number;
}
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
interface ListPosition {
  readonly offset: number;
  readonly index: number;
  readonly isStart?: boolean;
}
interface OperationText {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
export declare function readOperations(stream: AsyncIterable<Uint8Array>, from?: ListPosition): AsyncGenerator<OperationText[]>;
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
export declare const issueCodes: {
  readonly EmptyFile: "The file contains only white space.";
  readonly WrongType: "A value has the wrong JSON type.";
  readonly InvalidJson: "The file is not JSON from this position on.";
  readonly InvalidEncoding: "The file is not UTF-8.";
  readonly TruncatedFile: "The file ends before its JSON does.";
  readonly ContentAfterEnd: "Something follows the file's object.";
  readonly TooLarge: "One operation, or another member of the file, is too large.";
  readonly NestedTooDeep: "Objects and lists are nested too deep.";
  readonly NulCharacter: "A string or a key contains U+0000, which no database column takes.";
  readonly UnpairedSurrogate: "A string or a key contains half of a surrogate pair, which no database column takes.";
  readonly MissingField: "A required field is missing.";
  readonly InvalidVersion: "The version is not three numbers separated by dots.";
  readonly DuplicateKey: "An object has a key twice; the last one counts.";
  readonly ChangedNumber: "A number has more digits, or a larger exponent, than are kept when it is read.";
  readonly UnknownField: "Nothing reads this field.";
  readonly InvalidTemplate: "A template does not parse: its operation will fail, the others are executed.";
  readonly UnsupportedTemplate: "A template uses a part of Handlebars that operations do not support.";
  readonly UnknownHelper: "A template calls a helper that does not exist.";
  readonly HelperArguments: "A template passes invalid arguments to a helper or a block.";
  readonly UnusablePicture: "A template names a picture by a path that is refused, or whose picture is missing or unusable.";
  readonly UnknownDefault: "A template reads a default variable that does not exist.";
  readonly UndefinedReference: "A template refers to an operation that the file does not have.";
  readonly ForwardReference: "A template refers to an operation that is executed only later.";
  readonly LaterSetting: "An operation names a setting that the file adds only later, and that the tenant may not have.";
  readonly DuplicateReference: "An earlier operation has the same _ref; later templates read this one.";
  readonly ReservedReference: "A _ref has a name that templates reserve for something else.";
  readonly UnknownProperty: "A template reads a property that the operation's result does not have.";
  readonly Placeholder: "A text or an id is still a placeholder from `lading mass-operation init`.";
  readonly BranchProperty: "A template reads a property that an upsert has only if it creates, or only if it updates.";
};
type IssueCode = keyof typeof issueCodes;
export declare function issueText(issue: Issue): string;
type OnIssue = (severity: Issue["severity"], message: string, pointer: string, code: string) => ((issue: Issue) => void) | undefined;
type HasSetting = (intent: SettingIntent, key: string) => boolean;
interface ReferenceLifetime {
  index: number;
  lastReader: number;
}
interface ReferenceName {
  name: string;
  index: number;
}
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
  lifetimes: ReferenceLifetime[];
  names: ReferenceName[] | null;
}
interface CheckOptions {
  strict?: boolean;
  hasSetting?: HasSetting;
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
interface ResultBranch {
  readonly intent: Intent$1;
  readonly properties: readonly (readonly string[])[];
}
export declare const resultProperties: Readonly<Record<Intent$1, readonly ResultBranch[]>>;
export { type CheckOptions, type CheckedOperation, type FileReport, type HasSetting, type Intent, type Issue, type IssueCode, type JsonPath, type JsonSchema, type ListPosition, type OnIssue, type OperationText, type ParseError, type ParseErrorCode, type Payload, type PictureCheck, type Problem, type ReferenceLifetime, type ReferenceName, type ResultBranch, intentNames, isIntent, payloads };
