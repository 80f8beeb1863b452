/** The variables that commands read besides those of the service. */
export const variables = {
  url: "LADING_URL",
  tenant: "LADING_TENANT",
  tokenId: "LADING_ACCESS_TOKEN_ID",
  tokenSecret: "LADING_ACCESS_TOKEN_SECRET",
  credentials: "LADING_CREDENTIALS",
} as const;

/** Variables of the project's own tests, which may be set where a service is started. */
const testVariables = ["LADING_TEST_DATABASE_URL", "LADING_PG_BIN"];

/** Finds the `LADING_…` variables that are set but never read, neither by the service nor by a command. */
export async function strayVariables(): Promise<string[]> {
  const { unknownVariables } = await import("@lading/service");
  return unknownVariables(process.env, [...Object.values(variables), ...testVariables]);
}
