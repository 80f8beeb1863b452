import { isObject } from "../../is-object.ts";
import { ownResult } from "../../operation/envelope.ts";
import { type JsonPath, toPointer } from "../../problems/json-pointer.ts";
import { didYouMean, quoted, shortened, suggestion } from "../../problems/phrases.ts";
import { problemLimit } from "../../schema-walk/problems-in.ts";
import type {
  BlockUse,
  CallUse,
  NamedUse,
  ReferenceUse,
  TemplatePosition,
  TemplateUses,
} from "../../templates/analyse/analyse.ts";
import { blockNames, misuseOfBlock } from "../../templates/blocks.ts";
import { ownProperty } from "../../templates/evaluate/values.ts";
import { helperNames, misuseOf } from "../../templates/helpers.ts";
import { defaultVariables, unsupportedParts } from "../../templates/names.ts";
import {
  isAlwaysAllowed,
  parsingAllowance,
  tooMuchToParse,
} from "../../templates/parse/parsing-allowance.ts";
import { plainPath } from "../../templates/parse/plain-path.ts";
import { bracesAdvice, offsetsIn, TemplateSyntaxError } from "../../templates/parse/syntax-error.ts";
import { isPicturePath, misuseOfPicturePath, pictureNotGiven } from "../../templates/picture-path.ts";
import { hasProperty, type ResultBranch, resultProperties } from "../../templates/result-properties.ts";
import { usesOf } from "../../templates/template.ts";
import type { Finding, Issue, IssueCode } from "../report/issue.ts";
import { type Definition, definitionOf, markRead, type References } from "./references.ts";
import { eachTemplate } from "./template-strings.ts";

interface TemplateFinding extends TemplatePosition {
  readonly severity: Issue["severity"];
  readonly code: IssueCode;
  readonly message: string;
  readonly undefinedName?: string;
}

/** Finds what is wrong with the pictures of a file. */
export interface PictureCheck {
  /** The severity of what is wrong: an error where the pictures are at hand. */
  readonly severity: Issue["severity"];
  /**
   * Says what is wrong with the picture of a path; undefined if nothing is.
   * @param sha256 its digest, if the template states one
   */
  problemOf(path: string, sha256?: string): string | undefined;
}

/** The check of a file whose pictures are not at hand: its operations will fail. */
export const noPictures: PictureCheck = { severity: "warning", problemOf: pictureNotGiven };

/** The uses of a template, or the reason why it does not parse. */
type Read = TemplateUses | TemplateSyntaxError;

/**
 * Reads an operation's templates in order, and ends with one that is too much to be parsed, whose uses are undefined.
 *
 * @param length that of the operation's text
 */
export function eachRead(
  operation: unknown,
  length: number,
  visit: (uses: Read | undefined, template: string, path: JsonPath) => void,
): void {
  const parsed = parsingAllowance(length);
  const read = templateReader(length);
  let refused = false;
  eachTemplate(operation, (template, path) => {
    if (refused) return;
    refused = !parsed(template);
    visit(refused ? undefined : read(template), template, path);
  });
}

/**
 * Checks an operation's templates, and records which earlier operations it reads. Call it for all operations
 * of a file in order, each before its own name is defined.
 *
 * @param operation.length that of its text
 * @returns at most `problemLimit` findings
 */
export function templateFindings(
  operation: unknown,
  { index, length }: { index: number; length: number },
  references: References,
  pictures = noPictures,
): Finding[] {
  const findings: Finding[] = [];
  const results = isObject(operation) ? operation._results : undefined;
  eachRead(operation, length, (uses, template, path) => {
    if (uses !== undefined && !(uses instanceof TemplateSyntaxError))
      for (const use of uses.references)
        if (ownResult(results, use.name) === undefined) noteRead(use, index, references);
    if (findings.length >= problemLimit) return;
    const own = uses === undefined ? [tooMuch] : findingsIn(uses, { references, pictures }, results);
    if (own.length === 0) return;
    const pointer = toPointer(path);
    const offset = offsetsIn(template);
    for (const { line, column, ...rest } of own.slice(0, problemLimit - findings.length))
      findings.push({ ...rest, pointer, inside: offset(line, column) });
  });
  return findings;
}

/**
 * Reads one operation's templates. If there are many, each different one is parsed once: an operation can
 * repeat one that does not parse hundreds of times, or have more than the cache holds.
 */
function templateReader(length: number): (template: string) => Read {
  if (isAlwaysAllowed(length)) return usesOrError;
  const reads = new Map<string, Read>();
  return (template) => {
    const before = reads.get(template);
    if (before !== undefined) return before;
    const uses = usesOrError(template);
    if (plainPath(template) === undefined) reads.set(template, uses);
    return uses;
  };
}

function usesOrError(template: string): Read {
  try {
    return usesOf(template);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error;
    throw error;
  }
}

function noteRead({ name }: ReferenceUse, reader: number, references: References): void {
  const definition = definitionOf(references, name);
  if (definition === undefined) references.unresolved = true;
  else markRead(references, definition.index, reader);
}

function findingsIn(
  uses: Read,
  { references, pictures }: { references: References; pictures: PictureCheck },
  results: unknown,
): TemplateFinding[] {
  if (uses instanceof TemplateSyntaxError) {
    const { message, advice } = uses;
    return [warning("InvalidTemplate", advice === undefined ? message : `${message}; ${advice}`, uses)];
  }
  return [
    ...uses.references.flatMap((use) => {
      const own = ownResult(results, use.name);
      return own === undefined ? referenceFindings(use, references) : ownFindings(use, own);
    }),
    ...uses.defaults.filter(({ name }) => !defaultVariables.includes(name)).map(unknownDefault),
    ...uses.helpers.flatMap((use) => helperFindings(use, pictures)),
    ...uses.blocks.flatMap(blockFindings),
    ...uses.unsupported.map(unsupported),
  ];
}

function referenceFindings(use: ReferenceUse, references: References): TemplateFinding[] {
  const definition = definitionOf(references, use.name);
  if (definition !== undefined) return use.conditional ? [] : propertyFindings(use, definition);
  const message = `no operation before this one has the _ref ${quoted(use.name)}`;
  return [{ ...warning("UndefinedReference", message, use), undefinedName: use.name }];
}

function ownFindings(use: ReferenceUse, result: unknown): TemplateFinding[] {
  if (use.conditional || use.path.reduce(ownProperty, result) !== undefined) return [];
  const message = `"_results" has no ${quoted([use.name, ...use.path].join("."))}`;
  return [warning("UnknownProperty", message, use)];
}

function propertyFindings(use: ReferenceUse, { index, intent }: Definition): TemplateFinding[] {
  const branches = intent === undefined ? [] : resultProperties[intent];
  const lacking = branches.filter((branch) => !hasProperty(branch, use.path));
  const [first] = lacking;
  if (first === undefined) return [];
  const property = shortened(use.path.join("."));
  if (lacking.length === branches.length) {
    const message = `operations[${index}] has no ${quoted(property)} in its result; there is ${propertiesOf(branches)}`;
    return [warning("UnknownProperty", message, use)];
  }
  const absence = `operations[${index}] has no ${quoted(property)} in its result if it acts as ${first.intent}`;
  const advice = `write {{#if ${shortened(use.name)}.${property}}} around it, or use ${propertiesOf([first])}`;
  return [warning("BranchProperty", `${absence}; ${advice}`, use)];
}

/** `id, language (folder/create)` */
function propertiesOf(branches: readonly ResultBranch[]): string {
  return branches
    .map(({ intent, properties }) => `${properties.map((path) => path.join(".")).join(", ")} (${intent})`)
    .join(" or ");
}

function unknownDefault(use: NamedUse): TemplateFinding {
  const message = `there is no defaults.${shortened(use.name)}; ${suggestion(use.name, defaultVariables)}`;
  return warning("UnknownDefault", message, use);
}

function helperFindings(use: CallUse, pictures: PictureCheck): TemplateFinding[] {
  if (!helperNames.includes(use.name)) return [unknownHelper(use)];
  const misuse = misuseOf(use);
  if (misuse !== undefined) return [warning("HelperArguments", `"${use.name}" ${misuse}`, use)];
  const [path] = use.arguments;
  return use.name === "upload" && typeof path === "string" && isPicturePath(path)
    ? pictureFindings(path, use, pictures)
    : [];
}

function pictureFindings(
  path: string,
  { named, line, column }: CallUse,
  pictures: PictureCheck,
): TemplateFinding[] {
  const sha256 = typeof named.sha256 === "string" ? named.sha256.toLowerCase() : undefined;
  const message = misuseOfPicturePath(path) ?? pictures.problemOf(path, sha256);
  return message === undefined
    ? []
    : [{ severity: pictures.severity, code: "UnusablePicture", message, line, column }];
}

function unknownHelper(use: NamedUse): TemplateFinding {
  const advice = blockNames.includes(use.name)
    ? `it is a block: {{#${use.name} …}}…{{/${use.name}}}`
    : (didYouMean(use.name, helperNames) ?? `${suggestion(use.name, helperNames)}; ${bracesAdvice}`);
  return warning("UnknownHelper", `there is no helper ${quoted(use.name)}; ${advice}`, use);
}

function blockFindings(use: BlockUse): TemplateFinding[] {
  if (!blockNames.includes(use.name)) return [unknownBlock(use)];
  const misuse = misuseOfBlock(use);
  return misuse === undefined ? [] : [warning("HelperArguments", `"#${use.name}" ${misuse}`, use)];
}

function unknownBlock(use: NamedUse): TemplateFinding {
  const message = `there is no block ${quoted(use.name)}; ${suggestion(use.name, blockNames)}`;
  return warning("UnknownHelper", message, use);
}

function unsupported(use: TemplateUses["unsupported"][number]): TemplateFinding {
  const what = "is not supported: operations have expressions, blocks and helpers";
  const message = `${unsupportedParts[use.name]}, ${what}; ${bracesAdvice}`;
  return warning("UnsupportedTemplate", message, use);
}

const tooMuch = warning("InvalidTemplate", tooMuchToParse, { line: 1, column: 1 });

function warning(code: IssueCode, message: string, { line, column }: TemplatePosition): TemplateFinding {
  return { severity: "warning", code, message, line, column };
}
