import { isObject } from "../../is-object.ts";
import { checkOperation } from "../../operation/check-operation.ts";
import { versionPattern } from "../../operation/schemas.ts";
import { mayHavePlaceholders } from "../../operation/skeleton.ts";
import { toPointer } from "../../problems/json-pointer.ts";
import { describe, unknownField } from "../../problems/phrases.ts";
import { mayHaveTemplates } from "../../templates/is-template.ts";
import { defaultsName } from "../../templates/names.ts";
import type { FoundValue } from "../read/boundary-state.ts";
import { walkJson } from "../read/json-walk.ts";
import { depthOf, fileLimits } from "../read/limits.ts";
import type { ParseError } from "../read/parse-error.ts";
import { positionOf } from "../read/position.ts";
import type { Finding } from "../report/issue.ts";
import type { IssueList } from "../report/issue-list.ts";
import { type PendingIssue, report, type Subject } from "../report/report.ts";
import { contentFindings } from "./content-findings.ts";
import type { FileContent } from "./content-visit.ts";
import { checkSettings, type LaterSettings } from "./later-settings.ts";
import { placeholderFindings } from "./placeholder-findings.ts";
import { type Definition, define, definitionOf, type References } from "./references.ts";
import { type PictureCheck, templateFindings } from "./template-findings.ts";
import { textFindings } from "./text-findings.ts";

export interface FileCheck {
  readonly issues: IssueList;
  readonly references: References;
  readonly content: FileContent;
  readonly settings: LaterSettings;
  readonly pictures: PictureCheck;
  readonly pending: PendingIssue[];
  /** The keys of the file's object seen so far, up to a limit. */
  readonly keys: Set<string>;
  version: string | null;
  operations: number;
}

export interface CheckedText {
  readonly intent: string | null;
  readonly ref: string | null;
}

/** Parses a value cut out of the file, or returns where and why it is not JSON. */
export function parseFound(found: FoundValue): { value: unknown } | { error: ParseError } {
  try {
    return { value: JSON.parse(found.text) };
  } catch (thrown) {
    const error = walkJson(found.text, depthOf[found.role]);
    if (error === undefined) throw thrown;
    const code = error.code === "TruncatedFile" ? "InvalidJson" : error.code;
    const { pointer, operationIndex } = subjectOf(found);
    const position = positionOf(found.text, error.offset, found);
    return { error: { code, message: error.message, pointer, operationIndex, ...position } };
  }
}

function subjectOf({ role, key, index }: FoundValue): Subject {
  const pointer = role === "operation" ? `/operations/${index}` : toPointer([key]);
  return { pointer, operationIndex: role === "operation" ? index : null, intent: null, ref: null };
}

/** Checks an operation and reports its problems. Returns undefined if it is nested too deep to be checked. */
export function checkOperationText(
  check: FileCheck,
  found: FoundValue,
  operation: unknown,
): CheckedText | undefined {
  check.operations++;
  if (found.deepest > depthOf.operation) {
    reportAll(check, found, subjectOf(found), [tooDeep(found)]);
    return undefined;
  }
  const { intent, ref, errors, warnings } = checkOperation(operation);
  const findings = textFindings(found.text, found.keys, operation);
  for (const { path, ...error } of errors)
    findings.push({ ...error, severity: "error", pointer: toPointer(path) });
  for (const { path, ...warning } of warnings)
    findings.push({ ...warning, severity: "warning", pointer: toPointer(path) });
  if (mayHavePlaceholders(found.text)) {
    const refused = new Set(findings.map(({ pointer }) => pointer));
    findings.push(...placeholderFindings(operation).filter(({ pointer }) => !refused.has(pointer)));
  }
  const { index } = found;
  const { length } = found.text;
  if (mayHaveTemplates(found.text))
    findings.push(...templateFindings(operation, { index, length }, check.references, check.pictures));
  if (intent !== undefined) {
    const valid = errors.length === 0;
    findings.push(...contentFindings(check.content, operation, { intent, index, valid }, check.references));
  }
  if (ref !== undefined) findings.push(...nameFindings(check.references, ref, { index, intent }));
  const checked = { intent: intent ?? writtenIntent(operation), ref: ref ?? null };
  const subject = () => ({ ...subjectOf(found), ...checked });
  if (intent !== undefined && errors.length === 0)
    checkSettings(check.settings, { intent, operation, found, subject }, check.issues);
  if (findings.length > 0) reportAll(check, found, subject(), findings);
  return checked;
}

function reportAll(
  check: FileCheck,
  found: FoundValue,
  subject: Subject,
  findings: readonly Finding[],
): void {
  check.pending.push(...report(check.issues, found, subject, findings));
}

function writtenIntent(operation: unknown): string | null {
  return isObject(operation) && typeof operation.intent === "string" ? operation.intent : null;
}

function tooDeep({ text, role }: FoundValue): Finding {
  const message = `objects and lists may be nested ${fileLimits.depth} deep in a file, and this is deeper`;
  const at = walkJson(text, depthOf[role])?.offset ?? 0;
  return { severity: "error", code: "NestedTooDeep", message, pointer: "", at };
}

const knownKeys = ["$schema", "version", "operations"];
/** Maximum keys remembered to find repeated ones. */
const rememberedKeys = 1_000;

/** Checks a member of the file's object other than the list of operations. */
export function checkMember(check: FileCheck, found: FoundValue, value: unknown, listBegun: boolean): void {
  const { key } = found;
  const again = check.keys.has(key) || (key === "operations" && listBegun);
  if (check.keys.size < rememberedKeys) check.keys.add(key);
  const findings =
    found.deepest > depthOf.member
      ? [tooDeep(found)]
      : [...memberFindings(check, key, value), ...textFindings(found.text, found.keys, value)];
  if (again) {
    const severity = knownKeys.includes(key) ? "error" : "warning";
    findings.push({ severity, code: "DuplicateKey", message: "the file has this key twice", pointer: "" });
  }
  reportAll(check, found, subjectOf(found), findings);
}

function memberFindings(check: FileCheck, key: string, value: unknown): Finding[] {
  const error = { severity: "error", pointer: "" } as const;
  if (key === "operations") {
    const message = `expected a list of operations, got ${describe(value)}`;
    return [{ ...error, code: "WrongType", message }];
  }
  if (key === "version") return versionFindings(check, value);
  if (key === "$schema") return [];
  if (key.includes("\0")) return [{ ...error, code: "NulCharacter", message: "the key contains U+0000" }];
  if (!key.isWellFormed()) {
    return [{ ...error, code: "UnpairedSurrogate", message: "the key contains half of a surrogate pair" }];
  }
  return [{ severity: "warning", code: "UnknownField", message: unknownField(key, knownKeys), pointer: "" }];
}

function versionFindings(check: FileCheck, value: unknown): Finding[] {
  if (typeof value === "string" && versionPattern.test(value)) {
    check.version = value;
    return [];
  }
  const message = `expected three numbers separated by dots, such as "1.0.0", got ${describe(value)}`;
  return [{ severity: "error", code: "InvalidVersion", message, pointer: "" }];
}

/** Defines an operation's name for later ones, and warns if it hides another. */
function nameFindings(references: References, name: string, definition: Definition): Finding[] {
  const earlier = definitionOf(references, name);
  define(references, name, definition);
  const finding = { severity: "warning", pointer: "/_ref" } as const;
  if (name === defaultsName) {
    const message = `templates find the default context variables under "${name}", never this operation`;
    return [{ ...finding, code: "ReservedReference", message }];
  }
  if (earlier === undefined) return [];
  const message = `operations[${earlier.index}] has the same _ref; later templates read this operation`;
  return [{ ...finding, code: "DuplicateReference", message }];
}
