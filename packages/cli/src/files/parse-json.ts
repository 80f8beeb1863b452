import { errorMessage } from "@lading/service/thrown";
import { CliError, exitCode } from "../exit.ts";

/**
 * Parses the JSON of a file.
 * @throws CliError with the position and the reason when it is invalid
 */
export async function parseJson(text: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { readJson } = await import("@lading/schema");
    const problem = readJson(text).problems?.[0];
    throw new CliError(
      problem === undefined
        ? `${file} is not JSON: ${errorMessage(error)}`
        : `${file}:${problem.line}:${problem.column} is not JSON: ${problem.message}`,
      exitCode.invalidFile,
    );
  }
}
