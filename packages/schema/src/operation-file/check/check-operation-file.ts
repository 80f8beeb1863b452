import { sha256 as sha256Hash } from "#platform";
import { didYouMean, shortened } from "../../problems/phrases.ts";
import { defaultsName } from "../../templates/names.ts";
import { bracesAdvice } from "../../templates/parse/syntax-error.ts";
import { end, push } from "../read/boundaries.ts";
import { type Boundaries, boundaries, type FoundValue } from "../read/boundary-state.ts";
import { fileLimits } from "../read/limits.ts";
import type { OperationText } from "../read/read-operations.ts";
import type { Issue } from "../report/issue.ts";
import { issueList, issuesOf, type OnIssue } from "../report/issue-list.ts";
import { type PendingIssue, reportProblem } from "../report/report.ts";
import { checkMember, checkOperationText, type FileCheck, parseFound } from "./check-values.ts";
import { fileContent } from "./content-findings.ts";
import { type HasSetting, laterSettings } from "./later-settings.ts";
import {
  definitionOf,
  lifetimesOf,
  namesToReport,
  type ReferenceLifetime,
  type ReferenceName,
  references,
} from "./references.ts";
import { noPictures, type PictureCheck } from "./template-findings.ts";

export interface FileReport {
  /** Null if missing or wrong. */
  version: string | null;
  /** The number of operations, up to where the file could be read. */
  operations: number;
  bytes: number;
  /** The hash of all bytes, in hexadecimal. */
  sha256: string;
  errorCount: number;
  warningCount: number;
  /** Errors before warnings, each in file order; the first 1,000 of those counted. */
  issues: Issue[];
  /** Every operation that a later one refers to, in file order. @internal */
  lifetimes: ReferenceLifetime[];
  /**
   * The names of operations, at most the first 1,000, if a template reads a name that no earlier operation
   * has; otherwise null.
   * @internal
   */
  names: ReferenceName[] | null;
}

export interface CheckOptions {
  /** Counts and reports every warning as an error. */
  strict?: boolean;
  /** Tests if the tenant has a setting. Default: a new tenant's settings. @internal */
  hasSetting?: HasSetting;
  /** Checks the pictures that templates name by paths. Default: none was given. */
  pictures?: PictureCheck;
  /** Called for every issue, including those omitted from the report. */
  onIssue?: OnIssue;
  /** Called with the number of bytes read so far. */
  onProgress?(bytes: number): void;
  /** Called in order for every operation that is JSON, valid or not. */
  onOperation?(
    operation: OperationText & { intent: string | null; ref: string | null; line: number; column: number },
  ): void;
}

/**
 * Checks a whole mass operation file in one pass: its encoding, its JSON, every operation against its
 * intent's schema, templates, references between operations, content against the shapes and pieces defined
 * earlier in the file, and settings named before they are added. A file without errors can be executed.
 * Problems of the file are reported and never thrown; errors of the stream pass through.
 *
 * Memory does not grow with the file except for the names of operations: some 50 bytes plus its length per
 * different `_ref`, and 80 bytes per operation referred to. The memory for shapes, pieces and items is
 * bounded.
 */
export async function checkOperationFile(
  stream: AsyncIterable<Uint8Array>,
  options: CheckOptions = {},
): Promise<FileReport> {
  const hash = sha256Hash();
  const state = boundaries();
  const check = fileCheck(options);
  let bytes = 0;
  for await (const chunk of stream) {
    hash.update(chunk);
    bytes += chunk.length;
    // After an error the rest still counts for the hash.
    if (state.error === undefined) takeAll(state, check, push(state, chunk), options);
    options.onProgress?.(bytes);
  }
  end(state);
  conclude(state, check);
  const { version, operations, issues } = check;
  const { errorCount, warningCount } = issues;
  const lifetimes = lifetimesOf(check.references);
  const sha256 = hash.hex();
  return {
    version,
    operations,
    bytes,
    sha256,
    errorCount,
    warningCount,
    issues: issuesOf(issues),
    lifetimes,
    names: namesToReport(check.references),
  };
}

function fileCheck({ strict = false, hasSetting, onIssue, pictures = noPictures }: CheckOptions): FileCheck {
  return {
    issues: issueList(fileLimits.issues, strict, onIssue),
    references: references(),
    content: fileContent(),
    settings: laterSettings(hasSetting),
    pictures,
    pending: [],
    keys: new Set(),
    version: null,
    operations: 0,
  };
}

function takeAll(
  state: Boundaries,
  check: FileCheck,
  found: readonly FoundValue[],
  options: CheckOptions,
): void {
  for (const value of found) {
    const parsed = parseFound(value);
    if ("error" in parsed) {
      // This one precedes any error between the values.
      state.error = parsed.error;
      return;
    }
    if (value.role === "member") checkMember(check, value, parsed.value, state.begun);
    else takeOperation(check, value, parsed.value, options);
  }
}

function takeOperation(
  check: FileCheck,
  found: FoundValue,
  value: unknown,
  { onOperation }: CheckOptions,
): void {
  const checked = checkOperationText(check, found, value);
  const { index, start, end, text, line, column } = found;
  if (checked !== undefined) onOperation?.({ index, start, end, text, line, column, ...checked });
}

/** Reports the problems only the end of the file reveals. */
function conclude(state: Boundaries, check: FileCheck): void {
  const position = { pointer: "", operationIndex: null, ...state.opened };
  const missing = (message: string) =>
    reportProblem(check.issues, { ...position, code: "MissingField", message });
  if (state.error !== undefined) reportProblem(check.issues, state.error);
  else {
    if (!check.keys.has("version")) missing('"version" is missing: expected three numbers such as "1.0.0"');
    if (!state.begun && !check.keys.has("operations")) missing('"operations" is missing: expected a list');
  }
  for (const pending of check.pending) {
    resolvePending(pending, check);
    pending.take?.(pending.issue);
  }
}

/** Words an issue about a name no operation had when it was read: a later one may have it. */
function resolvePending({ issue, name }: PendingIssue, { references }: FileCheck): void {
  const definition = definitionOf(references, name);
  if (definition === undefined) suggest(issue, name, references.names);
  else {
    issue.code = "ForwardReference";
    const itself = definition.index === issue.operationIndex;
    const where = itself
      ? "this operation itself"
      : `operations[${definition.index}], which is executed later`;
    issue.message = `${issue.message}; it is the _ref of ${where}`;
  }
}

/** Maximum names compared for a suggestion. */
const comparedNames = 200;

function suggest(issue: Issue, name: string, names: ReadonlyMap<string, unknown>): void {
  const own = names.size > comparedNames ? [] : [...names.keys()].map((known) => shortened(known));
  issue.message += `; ${didYouMean(name, [...own, defaultsName]) ?? bracesAdvice}`;
}
