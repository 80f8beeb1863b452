import { escapeCharacter, unprintable } from "../../problems/unprintable.ts";

/** An error or a warning of a file, and its position. */
export interface Issue {
  /** A file with an error is not executed. */
  severity: "error" | "warning";
  /** One of {@link issueCodes}, or a code of a problem in a payload. */
  code: string;
  message: string;
  /** JSON pointer (RFC 6901) from the root of the file. */
  pointer: string;
  operationIndex: number | null;
  intent: string | null;
  /** The `_ref` of the operation. */
  ref: string | null;
  /** From 1. */
  line: number | null;
  /** In UTF-16 units from 1. A byte order mark has no column. */
  column: number | null;
  /** Byte offset in the file, from 0. */
  offset: number | null;
}

const meanings = {
  EmptyFile: "The file contains only white space.",
  WrongType: "A value has the wrong JSON type.",
  InvalidJson: "The file is not JSON from this position on.",
  InvalidEncoding: "The file is not UTF-8.",
  TruncatedFile: "The file ends before its JSON does.",
  ContentAfterEnd: "Something follows the file's object.",
  TooLarge: "One operation, or another member of the file, is too large.",
  NestedTooDeep: "Objects and lists are nested too deep.",
  NulCharacter: "A string or a key contains U+0000, which no database column takes.",
  UnpairedSurrogate: "A string or a key contains half of a surrogate pair, which no database column takes.",
  MissingField: "A required field is missing.",
  InvalidVersion: "The version is not three numbers separated by dots.",
  DuplicateKey: "An object has a key twice; the last one counts.",
  ChangedNumber: "A number has more digits, or a larger exponent, than are kept when it is read.",
  UnknownField: "Nothing reads this field.",
  InvalidTemplate: "A template does not parse: its operation will fail, the others are executed.",
  UnsupportedTemplate: "A template uses a part of Handlebars that operations do not support.",
  UnknownHelper: "A template calls a helper that does not exist.",
  HelperArguments: "A template passes invalid arguments to a helper or a block.",
  UnusablePicture:
    "A template names a picture by a path that is refused, or whose picture is missing or unusable.",
  UnknownDefault: "A template reads a default variable that does not exist.",
  UndefinedReference: "A template refers to an operation that the file does not have.",
  ForwardReference: "A template refers to an operation that is executed only later.",
  LaterSetting:
    "An operation names a setting that the file adds only later, and that the tenant may not have.",
  DuplicateReference: "An earlier operation has the same _ref; later templates read this one.",
  ReservedReference: "A _ref has a name that templates reserve for something else.",
  UnknownProperty: "A template reads a property that the operation's result does not have.",
  Placeholder: "A text or an id is still a placeholder from `lading mass-operation init`.",
  BranchProperty: "A template reads a property that an upsert has only if it creates, or only if it updates.",
};

export type IssueCode = keyof typeof meanings;

/** The meanings of the issue codes, apart from those of problems in payloads. */
export const issueCodes: Readonly<Record<IssueCode, string>> = meanings;

/**
 * Formats an issue as one line for people: `error  operations[7] product/upsert "tshirt"  line 12, column 9
 * /operations/7/name: …`
 */
export function issueText(issue: Issue): string {
  const { severity, operationIndex, intent, ref, line, column, pointer, message } = issue;
  const operation =
    operationIndex === null
      ? []
      : [
          [`operations[${operationIndex}]`, intent, ref === null ? null : JSON.stringify(ref)]
            .filter(Boolean)
            .join(" "),
        ];
  const position = line === null ? [] : [`line ${line}, column ${column}`];
  const what = pointer === "" ? message : `${pointer}: ${message}`;
  return [severity, ...operation, ...position, what].join("  ").replace(unprintable, escapeCharacter);
}

/** An issue of one value, before its position in the file is known. */
export interface Finding {
  readonly severity: Issue["severity"];
  readonly code: IssueCode | (string & {});
  readonly message: string;
  /** JSON pointer from the value. */
  readonly pointer: string;
  /** Its offset in the value's text, in UTF-16 units, if known. */
  readonly at?: number;
  /** Its offset in the string at the pointer, in UTF-16 units. */
  readonly inside?: number;
  /** A name no operation has so far; a later one may have it. */
  readonly undefinedName?: string;
}
