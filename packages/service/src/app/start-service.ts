import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { openPseudonyms } from "../domain/dump/anonymise/pseudonyms.ts";
import { graphqlApi } from "../graphql/api.ts";
import { consoleFolder, servedConsole } from "../http/console/console-url.ts";
import { openProvider } from "../http/console/oidc/provider.ts";
import { imageUrl } from "../http/files/image-routes.ts";
import type { Phase } from "../http/health.ts";
import { buildInspectionServer } from "../http/inspection-server.ts";
import { buildServer } from "../http/server.ts";
import { openImageFetcher } from "../media/fetch/image-fetcher.ts";
import { startHousekeeping } from "../runner/schedule/housekeeping.ts";
import { startWorker } from "../runner/schedule/worker.ts";
import { checkOptions } from "../settings/options.ts";
import { type Engine, type ServiceOptions, settings } from "../settings/settings.ts";
import { withPending } from "../storage/engines/pending.ts";
import { tenantExists } from "../storage/tenants/find.ts";
import { openDataFolder } from "../system/folders.ts";
import { openLogger } from "../system/logger.ts";
import { allowedHosts } from "../system/outbound/target.ts";
import { openSealing } from "../system/sealing.ts";
import { newSecret, secretFile } from "../system/secret-file.ts";
import { measuredImages } from "../telemetry/images.ts";
import { type Metrics, openMetrics, webhookTelemetry } from "../telemetry/metrics.ts";
import { runnerTelemetry } from "../telemetry/runner.ts";
import { openPersons } from "../tenants/persons.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { openUploads } from "../uploads/open.ts";
import { startDeliveries } from "../webhooks/deliveries.ts";
import type { WebhookServices } from "../webhooks/setting.ts";
import { databaseWithFaults, type FaultInjection, storeWithFaults } from "./fault-injection.ts";
import { listen, openMetricsServer } from "./listen.ts";
import { type OpenedDatabase, openDatabase } from "./open-database.ts";
import { createServiceTenant, type NewTenant, type ServiceTenant } from "./service-tenant.ts";
import { storing, withFolder } from "./start-errors.ts";

export interface RunningService {
  /** The URL the service listens on, such as `http://127.0.0.1:4000`. */
  url: string;
  /** The URL of the console; undefined if it is turned off or not built. */
  consoleUrl: string | undefined;
  operatorToken: string;
  /** The engine of its database: a server named by `databaseUrl`, or an embedded one. */
  engine: Engine;
  /** The engine for display, with version and reason: `PGlite, because the folder was made with it`. */
  database: string;
  /**
   * Creates a tenant with an administrator's access token, as the operator's API does.
   * @throws Error named `TenantIdentifierTakenError` or, for a malformed identifier, `ValidationError`
   */
  createTenant(input: NewTenant): Promise<ServiceTenant>;
  /**
   * Stops the service: refuses new requests, ends streams, finishes requests and batches in progress, releases the
   * tasks and closes everything. Resolves at most a few seconds after the grace period; further calls return the same
   * promise. The log has the reason, if any.
   */
  stop(reason?: string): Promise<void>;
}

interface StartHooks {
  /** Injects faults, for crash tests. */
  faults?: FaultInjection;
  /** Called with the folder before an embedded database is created, which takes seconds. */
  onNewDatabase?: (folder: string) => void;
}

/**
 * Starts the API, a runner or both in this process, on one database. The process's umask doesn't matter: the service's
 * files are in folders that only their owner may read.
 *
 * @example
 * const service = await startService({ port: 0, dataDir: "./data" });
 * await fetch(`${service.url}/health/ready`);
 * await service.stop();
 *
 * @throws Error for an option with a wrong value; CannotStart, FolderLocked or UnknownSchema with the problem and its
 * remedy
 */
export function startService(options?: ServiceOptions): Promise<RunningService>;
/** @internal */
export function startService(options?: ServiceOptions, hooks?: StartHooks): Promise<RunningService>;
export async function startService(
  options: ServiceOptions = {},
  { faults, onNewDatabase }: StartHooks = {},
): Promise<RunningService> {
  checkOptions(options);
  const dataDir = options.memory ? undefined : (options.dataDir ?? settings.dataDir.default);
  const logger = openLogger(options.logLevel ?? settings.logLevel.default);
  const { operatorToken, signingKey } = await secretsOf(options, dataDir, logger);
  const credential = { id: "lading", secret: signingKey };
  const webhooks = {
    sealing: openSealing(signingKey, options.secondSigningKey),
    allowed: allowedHosts(
      options.webhookHosts ?? settings.webhookHosts.default,
      settings.webhookHosts.variable,
      options.outboundPorts,
    ),
  };
  const { engine, name, ...found } = await openDatabase(options, dataDir, logger, onNewDatabase);
  const opened = withPending(found.database);
  const database = faults === undefined ? opened.database : databaseWithFaults(opened.database, faults);
  // PGlite has a single connection; a server opens more.
  const busy = () => database.engine === "pglite" && opened.pending() > 0;
  try {
    const parts = { dataDir, logger, operatorToken, credential, webhooks, database, busy, faults };
    const foundation = { ...parts, engine, name };
    return await serve(options, foundation);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Returns the service's secrets: from its options or its data folder, or new ones without a folder. */
async function secretsOf(options: ServiceOptions, dataDir: string | undefined, logger: Logger) {
  if (dataDir !== undefined) return withFolder(dataDir, () => prepare(options, dataDir, logger));
  const { operatorToken = newSecret(), signingKey = newSecret() } = options;
  return { operatorToken, signingKey };
}

function prepare(options: ServiceOptions, dataDir: string, logger: Logger) {
  const { databaseUrl, s3, operatorToken, signingKey } = options;
  const isNeeded = [databaseUrl, s3, operatorToken, signingKey].some((value) => !value);
  if (isNeeded && openDataFolder(dataDir))
    logger.warn(
      { dataDir },
      `other users have access to the data folder, which Lading did not create: chmod 700 ${dataDir}, ` +
        "unless you share it on purpose",
    );
  return {
    operatorToken: operatorToken || secretFile(dataDir, "operator-token"),
    signingKey: signingKey || secretFile(dataDir, "signing-key"),
  };
}

interface Foundation extends Pick<OpenedDatabase, "database" | "engine" | "name"> {
  /** Undefined for a service in memory. */
  dataDir: string | undefined;
  logger: Logger;
  operatorToken: string;
  credential: { id: string; secret: string };
  webhooks: WebhookServices;
  /** True while requests queue for the database's single connection. */
  busy: () => boolean;
  faults: FaultInjection | undefined;
}

async function serve(options: ServiceOptions, foundation: Foundation): Promise<RunningService> {
  const { dataDir, logger, operatorToken, credential, webhooks, database, busy, engine, name } = foundation;
  const uploads = await openStore(options, foundation);
  const { store, presign } = uploads;
  const { role = settings.role.default, shutdownGrace = settings.shutdownGrace.default } = options;
  const metrics = openMetrics(database);
  let phase: Phase = "starting";
  let end: Promise<void> | undefined;
  let publicUrl = options.publicUrl ?? "";
  const inspection = { database, logger, metrics, phase: () => phase, shutdownGrace, ...metricsOf(options) };
  const addresses = { publicUrl: () => publicUrl, otherAddresses: () => [publicUrl, uploads.address()] };
  const shared = { database, store, webhooks, logger, imageUrl: (key: string) => imageUrl(publicUrl, key) };
  const parts = { ...inspection, ...shared, ...addresses, presign, operatorToken, credential };
  const server = role === "runner" ? buildInspectionServer(inspection) : apiServer(options, parts);
  if (role !== "runner") await uploads.register(server);
  const url = await listen(server, options);
  const metricsServer = await openMetricsServer(options, inspection).catch(async (error) => {
    await server.close();
    throw error;
  });
  uploads.reachedBy(url);
  publicUrl ||= url;
  const close = () => Promise.all([server.close(), metricsServer?.close()]);
  const stopRunner = await startRunner(options, { ...shared, busy, metrics }).catch(async (error) => {
    await close();
    throw error;
  });
  phase = "ready";
  logger.info({ url, database: name, dataDir, role }, "lading is ready");
  return {
    url,
    consoleUrl: servedConsole(options, publicUrl),
    operatorToken,
    engine,
    database: name,
    createTenant: async (input) => {
      if (phase === "stopping") throw new Error("The service was stopped: it creates no tenant");
      return createServiceTenant(database, url, input);
    },
    stop: (reason) => {
      phase = "stopping";
      end ??= stopInTime(
        { grace: shutdownGrace, reason },
        () => Promise.all([close(), stopRunner()]),
        foundation,
      );
      return end;
    },
  };
}

const metricsOf = ({ metricsPort }: ServiceOptions) => ({ servesMetrics: metricsPort === undefined });

type ServerParts = Omit<
  Parameters<typeof buildServer>[0],
  "pseudonymsOf" | "graphql" | "consoleFiles" | "signIn" | keyof ReturnType<typeof apiSettings>
> &
  Parameters<typeof graphqlApi>[0] &
  Pick<Foundation, "credential"> & { otherAddresses: () => string[] };

const apiServer = (options: ServiceOptions, { credential, otherAddresses, ...parts }: ServerParts) =>
  buildServer({
    ...parts,
    signIn: openSignIn(options, { ...parts, signingKey: credential.secret }),
    pseudonymsOf: openPseudonyms(credential.secret),
    graphql: graphqlApi(parts),
    consoleFiles: { folder: consoleFolder, otherAddresses },
    ...apiSettings(options),
  });

/** Opens signing in as a person, if a provider is set. One that cannot be used now is only logged: it may return. */
function openSignIn(
  options: ServiceOptions,
  { database, logger, signingKey }: Pick<Foundation, "database" | "logger"> & { signingKey: string },
) {
  const provider = openProvider(options);
  if (provider === undefined) return undefined;
  const sealing = openSealing(signingKey, options.secondSigningKey, "session");
  void provider.problem().then((problem) => {
    if (problem !== undefined) logger.warn(`nobody can sign in as a person now: ${problem}`);
  });
  return { provider, sealing, persons: openPersons({ database, provider, sealing, logger }) };
}

function openStore(options: ServiceOptions, { dataDir, credential, database, faults }: Foundation) {
  return storing(dataDir, options.s3, () =>
    openUploads(options, dataDir, {
      credential,
      tenantExists: (id) => tenantExists(database, id),
      wrap: faults && ((store: ObjectStore) => storeWithFaults(store, faults)),
    }),
  );
}

const apiSettings = (options: ServiceOptions) => ({
  headerWords: options.headerWords,
  secondOperatorToken: options.secondOperatorToken,
  rateLimit: options.rateLimit ?? settings.rateLimit.default,
  wrongCredentialsLimit: options.wrongCredentialsLimit ?? settings.wrongCredentialsLimit.default,
  bodyLimit: options.bodyLimit,
  corsOrigins: options.corsOrigins,
  graphiql: options.graphiql,
  console: options.console,
  trustedProxies: options.trustedProxies,
});

/** Time limits after the grace period, in milliseconds: for unfinished work, then for the database. */
const endTimeouts = { work: 1_000, database: 3_000 };

async function stopInTime(
  { grace, reason }: { grace: number; reason: string | undefined },
  finishWork: () => Promise<unknown>,
  { database, logger }: Pick<Foundation, "database" | "logger">,
): Promise<void> {
  logger.info({ reason, grace }, "lading is stopping: requests and batches in progress finish first");
  const began = performance.now();
  if (!(await within(grace + endTimeouts.work, finishWork())))
    logger.warn("unfinished work was aborted; its task resumes when the lease expires");
  if (!(await within(endTimeouts.database, database.close())))
    logger.warn("the database was not closed in time");
  logger.info({ ms: Math.round(performance.now() - began) }, "lading has stopped");
}

/** Waits for work for at most `milliseconds`; returns true if it finished. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  const late = setTimeout(milliseconds, false, { signal: done.signal }).catch(() => false);
  return Promise.race([work.then(() => true), late]).finally(() => done.abort());
}

/** Starts this process's runner, if its role has one. Returns a function that stops it. */
async function startRunner(
  options: ServiceOptions,
  parts: Pick<Foundation, "database" | "busy" | "logger" | "webhooks"> & {
    store: ObjectStore;
    metrics: Metrics;
  },
): Promise<() => Promise<void>> {
  if (options.role === "api") return async () => {};
  const lease = options.lease ?? settings.lease.default;
  const slots = options.slots ?? settings.slots.default;
  const imageHosts = options.imageHosts ?? settings.imageHosts.default;
  const concurrency = options.imageFetches ?? settings.imageFetches.default;
  const { metrics, webhooks, ...services } = parts;
  const { outboundPorts } = options;
  const images = openImageFetcher({
    store: parts.store,
    allowedHosts: imageHosts,
    outboundPorts,
    concurrency,
  });
  const telemetry = runnerTelemetry(metrics);
  const measured = measuredImages(images, metrics);
  const deliveries = startDeliveries({ ...services, ...webhooks, onTry: webhookTelemetry(metrics) });
  const worker = { ...services, images: measured, lease, slots, telemetry, onWake: deliveries.look };
  const stop = await startWorker(worker).catch(async (error) => {
    await deliveries.stop();
    throw error;
  });
  const { retentionDays, planRetentionDays = settings.planRetentionDays.default } = options;
  const { approvalRetentionDays = settings.approvalRetentionDays.default } = options;
  const retention = { retentionDays, planRetentionDays, approvalRetentionDays };
  const { sealing } = webhooks;
  const stopHousekeeping = startHousekeeping({ ...services, sealing }, retention);
  return async () => {
    await Promise.all([stop(), stopHousekeeping(), deliveries.stop()]);
    images.close();
  };
}
