/** The variables that commands read besides those of the service. */
export const commandVariables = [
  "LADING_URL",
  "LADING_TENANT",
  "LADING_ACCESS_TOKEN_ID",
  "LADING_ACCESS_TOKEN_SECRET",
  "LADING_CREDENTIALS",
] as const;

/** Read by the project's own tests; whoever runs those may start a service too. */
const testVariables = ["LADING_TEST_DATABASE_URL"];

/** A sentence for each `LADING_…` variable that is set and that neither the service nor a command reads. */
export async function strayVariables(): Promise<string[]> {
  const { unknownVariables } = await import("@lading/service");
  return unknownVariables(process.env, [...commandVariables, ...testVariables]);
}
