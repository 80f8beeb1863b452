import { realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
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
import { type LocalPicture, LocalPictures } from "../pictures/local-pictures.ts";
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
  const text = JSON.stringify({ version: "1.0.0", operations });
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

/** Returns the path of a file in the folder that may be read. @throws CliError for any other */
function pathWithin(folder: string | undefined, file: string): string {
  if (folder === undefined)
    throw new CliError("this server reads no files: give operations, or start it with --files <folder>");
  if (!/\.json(\.gz)?$/i.test(file)) throw new CliError("a file's name ends in .json or .json.gz");
  try {
    const [root, path] = [realpathSync.native(folder), realpathSync.native(resolve(folder, file))];
    const way = relative(root, path);
    if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way))
      throw new CliError(`${file} is not in ${root}, the folder of --files`);
    return join(root, way);
  } catch (error) {
    throw failureOf(error, file);
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
      ...(total > 0 ? [`Issues ${Math.min(skip + 1, end)} to ${end} of ${count(total)}, errors first.`] : []),
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
