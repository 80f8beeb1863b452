import { type Setting, settings, settingText, targetS3Settings, variablesOf } from "@lading/service/settings";
import { errorMessage } from "@lading/service/thrown";
import { CliError } from "./exit.ts";

/** Variables that only commands read, not the service. */
export const variables = {
  url: "LADING_URL",
  tenant: "LADING_TENANT",
  tokenId: "LADING_ACCESS_TOKEN_ID",
  tokenSecret: "LADING_ACCESS_TOKEN_SECRET",
  credentials: "LADING_CREDENTIALS",
  toUrl: "LADING_TO_URL",
  toTokenId: "LADING_TO_ACCESS_TOKEN_ID",
  toTokenSecret: "LADING_TO_ACCESS_TOKEN_SECRET",
} as const;

/** The secret of an access token, which a file can have instead of its variable. */
const tokenSecret = { variable: variables.tokenSecret, secret: true } as const;

/** The option of an access token, without `-id` or `-secret`, and its variables. */
export const ownToken = { option: "--token", id: variables.tokenId, secret: tokenSecret } as const;

/** The same for the second tenant of a comparison. */
export const toToken = {
  option: "--to-token",
  id: variables.toTokenId,
  secret: { variable: variables.toTokenSecret, secret: true },
} as const;

/** The URL of the database to move data to. It has a password, as a service's has. */
export const toDatabaseUrl: Setting = {
  ...settings.databaseUrl,
  variable: "LADING_TO_DATABASE_URL",
  option: "--to-database-url <url>",
  meaning: "PostgreSQL 15 to 18 to move the data to",
};

/**
 * Returns a secret: its option's value, else its variable's, else the content of the file that the variable with
 * `_FILE` names. `given` may also be the variable's value, which commander fills in.
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
const testVariables = ["LADING_TEST_DATABASE_URL", "LADING_TEST_WITHOUT_CONSTRAINTS", "LADING_PG_BIN"];

export const allVariables: readonly string[] = [
  ...new Set([
    ...Object.values(variables),
    ...[tokenSecret, toToken.secret, toDatabaseUrl, ...Object.values(targetS3Settings)].flatMap(variablesOf),
  ]),
];

/** Finds the `LADING_…` variables that are set but never read, neither by the service nor by a command. */
export async function strayVariables(): Promise<string[]> {
  const { unknownVariables } = await import("@lading/service");
  return unknownVariables(process.env, [...allVariables, ...testVariables]);
}
