import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { FileReport, Issue, PictureCheck } from "@lading/schema";
import { count, counted } from "../context.ts";
import { CliError } from "../exit.ts";
import { checkFile, summary } from "../files/check-file.ts";
import {
  failureOf,
  type JsonFile,
  largestJson,
  untilInterrupted,
  uploadName,
  withJsonFile,
} from "../files/json-input.ts";
import { isWithin, type LocalPicture, LocalPictures } from "../pictures/local-pictures.ts";
import type { CheckedFile } from "../task/start.ts";
import { type Answer, fitting } from "./answer.ts";
import type { Call } from "./call.ts";
import { mcpLimits } from "./limits.ts";

/** Operations, or the path of a file with them. */
export interface Input {
  readonly operations?: readonly object[] | undefined;
  readonly file?: string | undefined;
  readonly strict?: boolean | undefined;
}

/** A file as it was checked. */
export interface Checked {
  readonly report: FileReport;
  readonly file: CheckedFile;
}

/**
 * Checks operations or a file, and passes both on.
 * @throws CliError for a file that may not be read
 */
export async function withChecked<Result>(
  call: Call,
  { operations, file, strict = false }: Input,
  use: (checked: Checked) => Promise<Result>,
): Promise<Result> {
  if ((operations === undefined) === (file === undefined)) throw new CliError("give operations, or a file");
  const check = async (
    content: JsonFile,
    name: string,
    pictures: PictureCheck & { found?: LocalPicture[] },
  ) => {
    const report = await checkFile(untilInterrupted(call.context, content.read()), { strict, pictures });
    return use({ report, file: { content, name, sha256: report.sha256, pictures: pictures.found ?? [] } });
  };
  if (file === undefined) return check(jsonOfOperations(operations ?? []), "operations.json", inlinePictures);
  const path = pathWithin(call.files, file);
  const limit = async () => largestJson;
  return withJsonFile(call.context, path, limit, (content) =>
    check(content, uploadName(path), new LocalPictures(path)),
  );
}

/** Operations have no folder with pictures. */
const inlinePictures: PictureCheck = {
  severity: "error",
  problemOf: () => "operations without a file have no folder: name the picture in a file, and give that",
};

function jsonOfOperations(operations: readonly object[]): JsonFile {
  const text = jsonOf({ version: "1.0.0", operations });
  if (text.length > mcpLimits.operationsLength) {
    throw new CliError(
      `the operations have ${count(text.length)} characters, and ${count(mcpLimits.operationsLength)} are allowed: ` +
        "write a file, and give its path",
    );
  }
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    async *read() {
      yield bytes;
    },
  };
}

function jsonOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw error instanceof RangeError ? new CliError("the operations are nested too deep") : error;
  }
}

/** @throws CliError unless it is a folder */
export function requireFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CliError(`there is no folder ${folder}, which --files names`);
}

const isNamed = (file: string) => /\.json(\.gz)?$/i.test(file);

/** Returns the real path of a file in the folder that may be read. @throws CliError for any other */
function pathWithin(folder: string | undefined, file: string): string {
  if (folder === undefined)
    throw new CliError("this server reads no files: give operations, or start it with --files <folder>");
  const wrongName = new CliError("a file's name ends in .json or .json.gz");
  if (!isNamed(file)) throw wrongName;
  const outside = new CliError(`${file} is not in ${resolve(folder)}, the folder of --files`);
  const given = resolve(folder, file);
  try {
    const path = realpathSync.native(given);
    if (!isWithin(realpathSync.native(folder), path)) throw outside;
    if (!isNamed(path)) throw wrongName;
    const status = statSync(path);
    // A pipe would be waited for, and nothing could end the wait.
    if (!status.isFile() && !status.isDirectory()) throw new CliError(`${file} is not a file`);
    return path;
  } catch (error) {
    // Nor is it said which files there are outside.
    throw isWithin(resolve(folder), given) ? failureOf(error, file) : outside;
  }
}

/** The issues of a file, from the one with a number on. */
export function issuesAnswer(
  { report, file }: Checked,
  { skip, limit, isInline }: { skip: number; limit: number; isInline: boolean },
): Answer {
  const { issues, errorCount, warningCount } = report;
  const shown = fitting(issues.slice(skip, skip + limit).map((issue) => shownIssue(issue, isInline)));
  const end = skip + shown.length;
  const total = errorCount + warningCount;
  return {
    says: [
      `${errorCount === 0 ? "Valid" : "Invalid: nothing of it would be executed"}. ${summary(isInline ? "operations" : "file", report)}.`,
      ...(shown.length > 0 ? [`Issues ${skip + 1} to ${end} of ${count(total)}, errors first.`] : []),
      ...(end < issues.length ? [`For more: skip ${end}.`] : []),
      ...(end === issues.length && total > end
        ? [`${counted(total - end, "issue")} more: fix these first.`]
        : []),
    ],
    data: { ...(isInline ? {} : { file: file.name }), issues: shown },
  };
}

const shownIssue = (
  { severity, code, message, pointer, intent, ref, line, column }: Issue,
  isInline: boolean,
) => ({
  ...{ severity, code, message, pointer, intent, ref },
  ...(!isInline && line !== null && { at: `${line}:${column}` }),
});

/** Says what is wrong with operations or a file, where, and what would be right. */
export const validate = (
  call: Call,
  { skip, limit, ...input }: Input & { skip: number; limit: number },
): Promise<Answer> =>
  withChecked(call, input, async (checked) =>
    issuesAnswer(checked, { skip, limit, isInline: input.file === undefined }),
  );
