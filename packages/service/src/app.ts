import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import type { ServiceOptions } from "./config.ts";
import { buildServer } from "./http/server.ts";
import { openImageFetcher } from "./media/fetch/image-fetcher.ts";
import { startWorker } from "./runner/worker.ts";
import { secretFile } from "./secrets.ts";
import type { Database } from "./storage/database.ts";
import { migrate } from "./storage/migrate.ts";
import { openPglite } from "./storage/pglite.ts";
import { openPostgres } from "./storage/postgres.ts";
import { releaseAllClaims } from "./tasks/claim.ts";
import { openUploads } from "./uploads/open.ts";

export interface RunningService {
  /** Where it listens. */
  url: string;
  operatorToken: string;
  /** Finishes the batches that are being executed, gives their tasks back and closes everything. */
  stop(): Promise<void>;
}

/** Starts the API and a runner in this process, on one database. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const dataDir = options.dataDir ?? ".lading";
  const logger = pino({ level: options.logLevel ?? "info" });
  const operatorToken = options.operatorToken || secretFile(dataDir, "operator-token");
  const credential = { id: "lading", secret: options.signingKey || secretFile(dataDir, "signing-key") };
  const database = await openDatabase(dataDir, options.databaseUrl);
  try {
    return await serve(options, { dataDir, logger, operatorToken, credential, database });
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Foundation {
  dataDir: string;
  logger: Logger;
  operatorToken: string;
  /** Signs presigned uploads. */
  credential: { id: string; secret: string };
  database: Database;
}

async function serve(options: ServiceOptions, foundation: Foundation): Promise<RunningService> {
  const { dataDir, logger, operatorToken, credential, database } = foundation;
  const uploads = await openUploads(options, dataDir, credential);
  const { store, presign } = uploads;
  const server = buildServer({
    database,
    store,
    presign,
    logger,
    operatorToken,
    headerWords: options.headerWords,
    rateLimit: options.rateLimit ?? 6_000,
    wrongCredentialsLimit: options.wrongCredentialsLimit ?? 60,
    bodyLimit: options.bodyLimit,
    corsOrigins: options.corsOrigins,
    trustedProxies: options.trustedProxies,
  });
  await uploads.register(server);
  const url = await listen(server, options);
  uploads.reachedBy(url);
  const { lease = 10_000, slots = 4, imageFetches = 16, imageHosts = [] } = options;
  const images = openImageFetcher({ store, allowedHosts: imageHosts, atOnce: imageFetches });
  const runner = { database, store, images, logger, lease, slots };
  const stopWorker = await startWorker(runner).catch(async (error) => {
    await server.close();
    throw error;
  });
  announce(logger, url, database, dataDir);
  return {
    url,
    operatorToken,
    stop: async () => {
      await Promise.all([server.close(), stopWorker()]);
      images.close();
      await database.close();
    },
  };
}

async function openDatabase(dataDir: string, url: string | undefined): Promise<Database> {
  const database = url === undefined ? await openPglite(join(dataDir, "database")) : openPostgres(url);
  try {
    await migrate(database);
    // The embedded database is in nobody else's hands, so whoever held a claim has ended.
    if (database.engine === "pglite") await releaseAllClaims(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function listen(server: ReturnType<typeof buildServer>, options: ServiceOptions): Promise<string> {
  await server.listen({ port: options.port ?? 4000, host: options.host ?? "127.0.0.1" });
  const { address, port, family } = server.server.address() as AddressInfo;
  const host =
    { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[address] ?? (family === "IPv6" ? `[${address}]` : address);
  return `http://${host}:${port}`;
}

function announce(logger: Logger, url: string, { engine }: Database, dataDir: string): void {
  logger.info({ url, database: engine, dataDir }, "lading is ready");
}
