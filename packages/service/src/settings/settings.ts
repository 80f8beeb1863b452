import * as kinds from "./kinds.ts";
import { s3Settings } from "./s3-settings.ts";
import type { Setting } from "./setting.ts";

export { refusal } from "./kinds.ts";
export { s3Settings, targetS3Settings } from "./s3-settings.ts";
export type { Setting } from "./setting.ts";
export { settingText, variablesOf } from "./setting-text.ts";

/** The parts of a service that one process can run. */
export const roles = ["all", "api", "runner"] as const;
export type Role = (typeof roles)[number];

/** The engines of the embedded database: a PostgreSQL server of the service's own, and PostgreSQL in its process. */
export const embeddedEngines = ["native", "pglite"] as const;
export type EmbeddedEngine = (typeof embeddedEngines)[number];

export type Engine = "postgresql" | EmbeddedEngine;

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
/** A limit per minute that no client reaches. */
const unreachable = 1_000_000_000;
const dayMs = 86_400_000;
/** Maximum retention of logs and files, in days. */
export const longestRetention = 36_500;
/** Free disk space to reserve, in bytes: more than the largest batch writes. */
const diskReserve = 128 * 1024 ** 2;

/** Every setting except those of S3, by its name in `ServiceOptions`. */
export const settings = {
  port: {
    variable: "LADING_PORT",
    option: "--port <port>",
    kind: kinds.wholeNumber(0, 65_535),
    default: 4_000,
    meaning: "port to listen on; 0 takes any free one",
  },
  metricsPort: {
    variable: "LADING_METRICS_PORT",
    kind: kinds.wholeNumber(1, 65_535),
    otherwise: "at the port of the service",
    meaning: "separate port for `/metrics` and `/health/…`; the port above then has no `/metrics`",
  },
  host: {
    variable: "LADING_HOST",
    option: "--host <host>",
    kind: kinds.anyText,
    default: "127.0.0.1",
    meaning: "address to listen on",
  },
  dataDir: {
    variable: "LADING_DATA_DIR",
    option: "--data-dir <folder>",
    kind: kinds.anyText,
    default: "./.lading",
    meaning: "data folder: embedded database, uploads, secrets",
  },
  memory: {
    variable: "LADING_MEMORY",
    option: "--memory",
    kind: kinds.trueOrFalse,
    default: false,
    meaning:
      "keeps the embedded database, uploads and secrets in memory and writes no file: all is lost when the service " +
      "stops; for tests and demonstrations; needs LADING_OPERATOR_TOKEN",
  },
  databaseUrl: {
    variable: "LADING_DATABASE_URL",
    option: "--database-url <url>",
    kind: kinds.postgresUrl,
    secret: true,
    meaning:
      "PostgreSQL 15 to 18 to use instead of the embedded database; " +
      "several hosts for one that fails over",
  },
  engine: {
    variable: "LADING_ENGINE",
    option: "--engine <engine>",
    kind: kinds.oneOf(embeddedEngines),
    otherwise: "that of the folder; for a new one `native` where it can run",
    meaning: "engine of the embedded database: native PostgreSQL, or PGlite",
  },
  databaseUser: {
    variable: "LADING_DATABASE_USER",
    kind: kinds.anyText,
    otherwise: "the owner of an existing database, or `nobody`",
    meaning: "user that runs the server of the native embedded database when root starts the service",
  },
  postgresBin: {
    variable: "LADING_POSTGRES_BIN",
    kind: kinds.anyText,
    otherwise: "the PostgreSQL that npm installed",
    meaning:
      "folder of a system's `initdb` and `postgres` for [the native embedded database](#native-postgresql), such as " +
      "`/usr/lib/postgresql/18/bin`",
  },
  publicUrl: {
    variable: "LADING_PUBLIC_URL",
    option: "--public-url <url>",
    kind: kinds.httpAddress,
    otherwise: "the address it listens on",
    meaning: "URL by which clients reach the service",
  },
  role: {
    variable: "LADING_ROLE",
    option: "--role <role>",
    kind: kinds.oneOf(roles),
    default: "all",
    meaning: "what this process runs",
  },
  logLevel: {
    variable: "LADING_LOG_LEVEL",
    option: "--log-level <level>",
    kind: kinds.oneOf<string>(logLevels),
    default: "info",
    meaning: "log level",
  },
  operatorToken: {
    variable: "LADING_OPERATOR_TOKEN",
    kind: kinds.anyText,
    secret: true,
    otherwise: "created on first start, in `operator-token` (0600)",
    meaning: "token that may create tenants",
  },
  secondOperatorToken: {
    variable: "LADING_SECOND_OPERATOR_TOKEN",
    kind: kinds.anyText,
    secret: true,
    otherwise: "only the first is accepted",
    meaning: "second token accepted while [the operator's token is rotated](#rotating-secrets)",
  },
  signingKey: {
    variable: "LADING_SIGNING_KEY",
    kind: kinds.anyText,
    secret: true,
    otherwise: "created on first start, in `signing-key` (0600)",
    meaning:
      "key that signs uploads and encrypts the secrets of [webhooks](webhooks.md); all processes share it",
  },
  secondSigningKey: {
    variable: "LADING_SECOND_SIGNING_KEY",
    kind: kinds.anyText,
    secret: true,
    otherwise: "only the first is accepted",
    meaning: "second key accepted while [the signing key is rotated](#rotating-secrets)",
  },
  headerWords: {
    variable: "LADING_HEADER_WORDS",
    kind: kinds.headerWordList,
    default: ["Service"],
    meaning: "middle words of the access token headers (`X-…-Access-Token-Id`), comma-separated",
  },
  rateLimit: {
    variable: "LADING_RATE_LIMIT",
    kind: kinds.wholeNumber(0, unreachable),
    default: 6_000,
    meaning: "requests per minute, access token and process; 0: unlimited",
  },
  wrongCredentialsLimit: {
    variable: "LADING_WRONG_CREDENTIALS_LIMIT",
    kind: kinds.wholeNumber(0, unreachable),
    default: 60,
    meaning: "failed authentications per minute and address; 0: unlimited",
  },
  bodyLimit: {
    variable: "LADING_BODY_LIMIT",
    kind: kinds.wholeNumber(1_024, 2 ** 28),
    default: 8 * 1024 ** 2,
    meaning: "largest body of a GraphQL request, in bytes",
  },
  corsOrigins: {
    variable: "LADING_CORS_ORIGINS",
    kind: kinds.originList,
    default: [],
    meaning: "origins whose scripts may call from a browser, comma-separated; `*` allows any",
  },
  graphiql: {
    variable: "LADING_GRAPHIQL",
    kind: kinds.trueOrFalse,
    default: true,
    meaning: "whether browsers get [GraphiQL](api.md#graphiql) at `/@{tenant}`",
  },
  console: {
    variable: "LADING_CONSOLE",
    kind: kinds.trueOrFalse,
    default: true,
    meaning:
      "whether browsers get [the console](security.md#sessions-of-the-console) at `/console`, and its sessions",
  },
  oidcIssuer: {
    variable: "LADING_OIDC_ISSUER",
    kind: kinds.issuerAddress,
    otherwise: "only access tokens sign in",
    meaning: "issuer of the OpenID Connect provider at which [persons sign in](sign-in.md) to the console",
  },
  oidcClientId: {
    variable: "LADING_OIDC_CLIENT_ID",
    kind: kinds.anyText,
    otherwise: "none; needed with an issuer",
    meaning: "id of this service at the provider",
  },
  oidcClientSecret: {
    variable: "LADING_OIDC_CLIENT_SECRET",
    kind: kinds.anyText,
    secret: true,
    otherwise: "none; needed with an issuer",
    meaning: "secret of this service at the provider",
  },
  oidcScopes: {
    variable: "LADING_OIDC_SCOPES",
    kind: kinds.scopeList,
    default: ["openid", "profile"],
    meaning: "[scopes](sign-in.md#scopes) to request from the provider, comma-separated",
  },
  oidcGroupsClaim: {
    variable: "LADING_OIDC_GROUPS_CLAIM",
    kind: kinds.anyText,
    default: "groups",
    meaning: "claim with the groups of a person",
  },
  trustedProxies: {
    variable: "LADING_TRUSTED_PROXIES",
    kind: kinds.networkList,
    default: [],
    meaning:
      "addresses or networks of proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted, comma-separated",
  },
  lease: {
    variable: "LADING_LEASE_MS",
    kind: kinds.wholeNumber(1_000, dayMs),
    default: 10_000,
    meaning: "lease of a task, in milliseconds; another runner takes over when it expires",
  },
  retentionDays: {
    variable: "LADING_RETENTION_DAYS",
    kind: kinds.wholeNumber(0, longestRetention),
    otherwise: "they are kept",
    meaning: "retention of logs and files of finished tasks, in days",
  },
  planRetentionDays: {
    variable: "LADING_PLAN_RETENTION_DAYS",
    kind: kinds.wholeNumber(0, longestRetention),
    default: 1,
    meaning: "retention of logs and files of finished plans, in days",
  },
  approvalRetentionDays: {
    variable: "LADING_APPROVAL_RETENTION_DAYS",
    kind: kinds.wholeNumber(0, longestRetention),
    default: 14,
    meaning:
      "retention of complete plans of planners that no run has followed, if longer than that of plans, and of " +
      "pending ones, at least a day; in days",
  },
  slots: {
    variable: "LADING_SLOTS",
    kind: kinds.wholeNumber(1, 1_000),
    default: 4,
    meaning: "concurrently executed tasks",
  },
  diskReserve: {
    variable: "LADING_DISK_RESERVE",
    kind: kinds.wholeNumber(0, 2 ** 40),
    default: diskReserve,
    meaning:
      "free bytes to reserve on the disks of the embedded database and of uploads, see [Disk space](#disk-space); " +
      "0: not checked",
  },
  shutdownGrace: {
    variable: "LADING_SHUTDOWN_GRACE_MS",
    kind: kinds.wholeNumber(0, 600_000),
    default: 10_000,
    meaning: "grace period for requests and batches when the service stops, in milliseconds",
  },
  imageFetches: {
    variable: "LADING_IMAGE_FETCHES",
    kind: kinds.wholeNumber(1, 1_000),
    default: 16,
    meaning: "concurrent image fetches per task",
  },
  imageHosts: {
    variable: "LADING_IMAGE_HOSTS",
    kind: kinds.hostList,
    default: [],
    meaning:
      "private hosts, by name or address, that [images may be fetched from](images.md#where-images-may-come-from), " +
      "comma-separated",
  },
  webhookHosts: {
    variable: "LADING_WEBHOOK_HOSTS",
    kind: kinds.hostList,
    default: [],
    meaning: "private hosts that [webhooks](webhooks.md#addresses) may call, comma-separated",
  },
  outboundPorts: {
    variable: "LADING_OUTBOUND_PORTS",
    kind: kinds.portList,
    default: [],
    meaning:
      "additional ports, other than 80 and 443, of public hosts for images and webhooks, comma-separated; the hosts of " +
      "the two settings above may use any",
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Every setting of the service, in the order of docs/operations.md. */
export const allSettings: readonly Setting[] = [...Object.values(settings), ...Object.values(s3Settings)];

type ValueOf<Row> = Row extends { kind: kinds.Kind<infer Value> } ? Value : never;
type OptionsOf<Table> = { -readonly [Name in keyof Table]?: ValueOf<Table[Name]> };

/** A bucket of S3 or of a store that speaks its protocol; `s3Settings` describes each option. */
export type S3Options = OptionsOf<typeof s3Settings> & { bucket: string };

/** The options of a service, all optional; `settings` describes each. */
export interface ServiceOptions extends OptionsOf<typeof settings> {
  /** A bucket to keep uploads in, instead of in `dataDir`. */
  s3?: S3Options;
}
