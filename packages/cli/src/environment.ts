import { settingText, variablesOf } from "@lading/service/settings";
import { errorMessage } from "@lading/service/thrown";
import { CliError } from "./exit.ts";

/** The variables that commands read besides those of the service. */
export const variables = {
  url: "LADING_URL",
  tenant: "LADING_TENANT",
  tokenId: "LADING_ACCESS_TOKEN_ID",
  tokenSecret: "LADING_ACCESS_TOKEN_SECRET",
  credentials: "LADING_CREDENTIALS",
} as const;

/** The secret of an access token, which a file can have instead of its variable. */
export const tokenSecret = { variable: variables.tokenSecret, secret: true } as const;

/**
 * Returns a secret: the value of its option or, without that, the one that its variable has or that its variable with
 * `_FILE` names a file of. `given` may also be the variable's value, which commander fills in.
 * @throws CliError when both variables are set, or the file cannot be read
 */
export function secretText(
  given: string | undefined,
  source: Parameters<typeof settingText>[0],
): string | undefined {
  if (given && given !== process.env[source.variable]) return given;
  try {
    return settingText(source, process.env);
  } catch (error) {
    throw new CliError(errorMessage(error));
  }
}

/** Variables of the project's own tests, which may be set where a service is started. */
const testVariables = ["LADING_TEST_DATABASE_URL", "LADING_PG_BIN"];

/** Lists every variable that commands read besides those of the service. */
export const allVariables: readonly string[] = [
  ...new Set([...Object.values(variables), ...variablesOf(tokenSecret)]),
];

/** Finds the `LADING_…` variables that are set but never read, neither by the service nor by a command. */
export async function strayVariables(): Promise<string[]> {
  const { unknownVariables } = await import("@lading/service");
  return unknownVariables(process.env, [...allVariables, ...testVariables]);
}
