import { stat } from "node:fs/promises";
import type { DatabaseFinding } from "@lading/service";
import { type Setting, settings, settingText } from "@lading/service/settings";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { versionText } from "@lading/service/version";
import { type Context, counted } from "../context.ts";
import { strayVariables, variables } from "../environment.ts";
import { CliError } from "../exit.ts";
import type { OperatorFlags } from "../options.ts";
import { credentialsPath, findCredentials, keptServices, keptTenants } from "../service/credentials.ts";
import { operatorGraphql } from "../service/documents.ts";
import { request } from "../service/graphql.ts";
import { operatorEndpoint } from "../service/operator-endpoint.ts";
import { endpointOf, tokenFromFlags } from "../service/tenant-endpoint.ts";
import { type Viewer, viewerOf } from "../service/tokens.ts";
import { dataFolderFindings } from "./data-folder.ts";
import type { Finding } from "./finding.ts";
import { serviceFindings } from "./service.ts";

/** Examines the configuration of this machine and tries to reach each part of it. Leaves all as it was. */
export async function examine(context: Context, flags: OperatorFlags): Promise<Finding[]> {
  const service = await serviceFindings(flags.url);
  const reached = service[0].level !== "problem";
  const tenants = readableTenants(flags.url);
  return [
    { level: "ok", what: "lading", detail: `${versionText()}, Node ${process.versions.node}` },
    ...(await environmentFindings()),
    ...(await dataFolderFindings(flags.dataDir)),
    ...(await databaseFindings(flags)),
    ...(await bucketFindings()),
    ...(await providerFindings()),
    await credentialsFinding(),
    ...service,
    ...(await givenTokenFindings(flags.url, reached, tenants ?? [])),
    ...(reached ? await Promise.all((tenants ?? []).map((tenant) => tenantFinding(flags.url, tenant))) : []),
    ...(tenants?.length === 0 ? [noTokens(flags.url)] : []),
    ...(reached ? [await operatorFinding(context, flags)] : []),
  ];
}

/** Lists the tenants with a saved token; undefined where they cannot be read, which `credentialsFinding` reports. */
function readableTenants(url: string): string[] | undefined {
  try {
    return keptTenants(url);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

/** Variables are named, not shown: some are secret. */
async function environmentFindings(): Promise<Finding[]> {
  const what = "environment";
  const names = Object.keys(process.env).filter((name) => name.startsWith("LADING_") && process.env[name]);
  const detail = names.sort().join(", ") || "no LADING_ variable is set";
  const stray = await strayVariables();
  const wrong = await wrongSetting();
  return [
    { level: "ok", what, detail },
    ...stray.map((detail) => ({ level: "note", what, detail }) as const),
    ...(wrong === undefined ? [] : [{ level: "problem", what, detail: wrong } as const]),
  ];
}

/** Returns the reason why a service cannot start with this environment, if there is one. */
async function wrongSetting(): Promise<string | undefined> {
  const { serviceOptions } = await import("@lading/service");
  try {
    serviceOptions(process.env);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Reads a setting; nothing when its file cannot be read, which `wrongSetting` reports. */
function textOrNothing(setting: Setting): string | undefined {
  try {
    return settingText(setting, process.env);
  } catch {
    return undefined;
  }
}

/** Checks the database of a service that runs here, or would be started here. */
async function databaseFindings({ dataDir }: OperatorFlags): Promise<Finding[]> {
  const { examineDatabase } = await import("@lading/service");
  const databaseUrl = textOrNothing(settings.databaseUrl);
  const postgresBin = textOrNothing(settings.postgresBin);
  const databaseUser = textOrNothing(settings.databaseUser);
  const engine = textOrNothing(settings.engine) === "pglite" ? "pglite" : undefined;
  const result = await examineDatabase({ dataDir, databaseUrl, postgresBin, databaseUser, engine });
  if (result === undefined) return [];
  return [
    { level: result.fine ? "ok" : "problem", what: "database", detail: result.detail },
    ...(result.ignored === undefined
      ? []
      : [{ level: "note", what: "database", detail: result.ignored } as const]),
    ...versionFindings(result, databaseUrl === undefined),
  ];
}

function versionFindings({ version, newer }: DatabaseFinding, isEmbedded: boolean): Finding[] {
  if (version === undefined) return [];
  const what = "postgresql";
  if (newer === undefined) return [{ level: "ok", what, detail: `version ${version}` }];
  const advice = isEmbedded
    ? `if the packages of this system have it, name its programs with ${settings.postgresBin.variable}`
    : "upgrade the server";
  return [
    {
      level: "note",
      what,
      detail: `version ${version}; ${newer} fixes bugs, including security bugs: ${advice}`,
    },
  ];
}

/** Uploads to the bucket of a service with this environment, as clients do. */
async function bucketFindings(): Promise<Finding[]> {
  if ((await wrongSetting()) !== undefined) return [];
  const { examineBucket, serviceOptions } = await import("@lading/service");
  const { s3 } = serviceOptions(process.env);
  if (s3 === undefined) return [];
  const problem = await examineBucket(s3);
  const detail = problem ?? `${s3.bucket} takes uploads, and refuses a larger file than was signed`;
  return [{ level: problem === undefined ? "ok" : "problem", what: "object store", detail }];
}

/** Checks the identity provider of a service with this environment. */
async function providerFindings(): Promise<Finding[]> {
  if ((await wrongSetting()) !== undefined) return [];
  const { examineProvider, serviceOptions } = await import("@lading/service");
  const provider = await examineProvider(serviceOptions(process.env));
  if (provider === undefined) return [];
  const { issuer, problem } = provider;
  const detail = problem ?? `${issuer} answers, and its issuer matches; the client's secret is not tried`;
  return [{ level: problem === undefined ? "ok" : "problem", what: "identity provider", detail }];
}

async function credentialsFinding(): Promise<Finding> {
  const what = "credentials";
  let path = "";
  try {
    path = credentialsPath();
    const { mode } = await stat(path);
    const services = keptServices();
    if ((mode & 0o077) !== 0 && process.platform !== "win32")
      return { level: "problem", what, detail: `${path} can be read by others: chmod 600 ${path}` };
    return { level: "ok", what, detail: `${path}, for ${services.join(", ") || "no service"}` };
  } catch (error) {
    if (error instanceof CliError) return { level: "problem", what, detail: error.message };
    const missing = errorCode(error) === "ENOENT";
    return {
      level: missing ? "note" : "problem",
      what,
      detail: missing ? `no token saved yet (${path})` : `${error}`,
    };
  }
}

async function tenantFinding(url: string, tenant: string): Promise<Finding> {
  const what = `tenant ${tenant}`;
  try {
    const viewer = await viewerOf(endpointOf(url, tenant, findCredentials(url, tenant)!));
    return { level: "ok", what, detail: tokenText(viewer) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return {
      level: "problem",
      what,
      detail: `${error.message} (\`lading login ${tenant}\` keeps another token)`,
    };
  }
}

function tokenText({ accessToken: { role, name, expiresAt } }: Viewer, tenant?: string): string {
  const [of, until] = [
    tenant === undefined ? "" : ` of ${tenant}`,
    expiresAt === null ? "" : `, until ${expiresAt}`,
  ];
  return `${role} token "${name}"${of}${until}`;
}

/** Checks the token of the environment, which commands use instead of those that are kept, with the known tenants. */
async function givenTokenFindings(
  url: string,
  reached: boolean,
  kept: readonly string[],
): Promise<Finding[]> {
  const what = variables.tokenId;
  const { [what]: tokenId, [variables.tenant]: named } = process.env;
  const tenants = named ? [named] : kept;
  try {
    const token = tokenFromFlags({ ...(tokenId && { tokenId }) });
    if (token === undefined || !reached) return [];
    const reasons = [];
    for (const tenant of tenants) {
      const viewer = await viewerOf(endpointOf(url, tenant, token)).catch((error: Error) => error);
      if (!(viewer instanceof Error)) return [{ level: "ok", what, detail: tokenText(viewer, tenant) }];
      reasons.push(viewer.message);
    }
    if (reasons.length > 0) return [{ level: "problem", what, detail: reasons.join("; ") }];
    const detail = `is not checked: name its tenant with ${variables.tenant}`;
    return [{ level: "note", what, detail }];
  } catch (error) {
    return [{ level: "problem", what, detail: errorMessage(error) }];
  }
}

function noTokens(url: string): Finding {
  const detail = `no token is saved for ${url}: \`lading tenant create\` or \`lading login\` saves one`;
  return { level: "note", what: "tenants", detail };
}

const countQuery = operatorGraphql(`query Count { tenants(first: 1) { totalCount } }`);

async function operatorFinding(context: Context, flags: OperatorFlags): Promise<Finding> {
  const what = "operator";
  const endpoint = await operatorEndpoint(context, flags).catch(() => undefined);
  if (endpoint === undefined)
    return { level: "note", what, detail: "no operator's token here: tenants and tokens cannot be managed" };
  try {
    const { tenants } = await request(endpoint, countQuery, {});
    return {
      level: "ok",
      what,
      detail: `its token is accepted; the service has ${counted(tenants.totalCount, "tenant")}`,
    };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { level: "problem", what, detail: error.message };
  }
}
