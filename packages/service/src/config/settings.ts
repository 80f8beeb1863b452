import {
  anyText,
  headerWordList,
  hostList,
  httpAddress,
  type Kind,
  networkList,
  oneOf,
  originList,
  postgresUrl,
  trueOrFalse,
  wholeNumber,
} from "./kinds.ts";
import { roles, type S3Options, type ServiceOptions } from "./options.ts";

/** One setting of the service: how it is called, what it may be, and what docs/operations.md says of it. */
export interface Setting {
  /** The variable of the environment. */
  readonly variable: string;
  /** The option of `lading serve`, if it has one. */
  readonly flag?: string;
  readonly kind: Kind;
  /** Its value is not shown. */
  readonly secret?: true;
  /** In Markdown. */
  readonly meaning: string;
  /** In Markdown; "–" where there is none. */
  readonly default: string;
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
/** No limit of so many a minute is ever met. */
const endless = 1_000_000_000;
const dayMs = 86_400_000;

/** Every setting but those of S3, by its option. */
export const settings = {
  port: {
    ...{ variable: "LADING_PORT", flag: "--port", kind: wholeNumber(0, 65_535), default: "4000" },
    meaning: "port; 0 takes any free one",
  },
  host: {
    ...{ variable: "LADING_HOST", flag: "--host", kind: anyText, default: "127.0.0.1" },
    meaning: "address to listen on",
  },
  dataDir: {
    ...{ variable: "LADING_DATA_DIR", flag: "--data-dir", kind: anyText, default: "`./.lading`" },
    meaning: "data folder: embedded database, uploads, secrets",
  },
  databaseUrl: {
    ...{ variable: "LADING_DATABASE_URL", flag: "--database-url", kind: postgresUrl, secret: true },
    ...{ meaning: "PostgreSQL 15 to 18 instead of the embedded database", default: "–" },
  },
  publicUrl: {
    ...{ variable: "LADING_PUBLIC_URL", flag: "--public-url", kind: httpAddress },
    ...{ meaning: "the address that presigned uploads begin with", default: "where it listens" },
  },
  role: {
    ...{ variable: "LADING_ROLE", flag: "--role", kind: oneOf(roles), default: "`all`" },
    meaning: "what the process does: `all`, `api` or `runner`",
  },
  logLevel: {
    ...{ variable: "LADING_LOG_LEVEL", flag: "--log-level", kind: oneOf(logLevels), default: "`info`" },
    meaning: "log level: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`",
  },
  operatorToken: {
    ...{
      variable: "LADING_OPERATOR_TOKEN",
      kind: anyText,
      secret: true,
      meaning: "the right to create tenants",
    },
    default: "made at first start, in `operator-token` (0600)",
  },
  signingKey: {
    ...{ variable: "LADING_SIGNING_KEY", kind: anyText, secret: true, meaning: "the key that signs uploads" },
    default: "made at first start, in `signing-key` (0600)",
  },
  headerWords: {
    ...{ variable: "LADING_HEADER_WORDS", kind: headerWordList, default: "`Service`" },
    meaning: "middle words of the access token headers, comma-separated",
  },
  rateLimit: {
    ...{ variable: "LADING_RATE_LIMIT", kind: wholeNumber(0, endless), default: "6000" },
    meaning: "requests a minute of one access token; 0: any number",
  },
  wrongCredentialsLimit: {
    ...{ variable: "LADING_WRONG_CREDENTIALS_LIMIT", kind: wholeNumber(0, endless), default: "60" },
    meaning: "wrong credentials a minute from one address; 0: any number",
  },
  bodyLimit: {
    ...{ variable: "LADING_BODY_LIMIT", kind: wholeNumber(1_024, 2 ** 28), default: "8388608" },
    meaning: "largest body of a GraphQL request, bytes",
  },
  corsOrigins: {
    ...{ variable: "LADING_CORS_ORIGINS", kind: originList, default: "none" },
    meaning: "origins whose scripts may call from a browser, comma-separated; `*` is any",
  },
  trustedProxies: {
    ...{ variable: "LADING_TRUSTED_PROXIES", kind: networkList, default: "none" },
    meaning: "addresses or networks of proxies whose `X-Forwarded-For` is believed, comma-separated",
  },
  lease: {
    ...{ variable: "LADING_LEASE_MS", kind: wholeNumber(1_000, dayMs), default: "10000" },
    meaning: "lease of a task, milliseconds",
  },
  retentionDays: {
    ...{ variable: "LADING_RETENTION_DAYS", kind: wholeNumber(0, 36_500), default: "they are kept" },
    meaning: "days after which logs and files of ended tasks are removed",
  },
  slots: {
    ...{ variable: "LADING_SLOTS", kind: wholeNumber(1, 1_000), default: "4" },
    meaning: "tasks executed side by side",
  },
  diskReserve: {
    ...{ variable: "LADING_DISK_RESERVE", kind: wholeNumber(0, 2 ** 40), default: "134217728" },
    meaning:
      "bytes that stay free on the disks of the embedded database and of uploads, see [Disk space](#disk-space); 0: it is not looked",
  },
  shutdownGrace: {
    ...{ variable: "LADING_SHUTDOWN_GRACE_MS", kind: wholeNumber(0, 600_000), default: "10000" },
    meaning: "how long requests and batches may go on once the service is to stop, milliseconds",
  },
  imageFetches: {
    ...{ variable: "LADING_IMAGE_FETCHES", kind: wholeNumber(1, 1_000), default: "16" },
    meaning: "images of one task that are fetched at a time",
  },
  imageHosts: {
    ...{ variable: "LADING_IMAGE_HOSTS", kind: hostList, default: "none" },
    meaning:
      "hosts, by name or address, that [images are fetched from](images.md#where-images-may-come-from) though they are not public, comma-separated",
  },
} as const satisfies Record<Exclude<keyof ServiceOptions, "s3">, Setting>;

const keyOfBucket = { kind: anyText, default: "the SDK's chain: environment, profile, container, instance" };

/** The settings of S3, by their option. */
export const s3Settings = {
  bucket: {
    ...{ variable: "LADING_S3_BUCKET", kind: anyText, default: "–" },
    meaning: "bucket of S3, or of a store that speaks its protocol, for uploads instead of the data folder",
  },
  endpoint: { variable: "LADING_S3_ENDPOINT", kind: httpAddress, meaning: "its endpoint", default: "AWS" },
  region: { variable: "LADING_S3_REGION", kind: anyText, meaning: "its region", default: "us-east-1" },
  pathStyle: {
    ...{ variable: "LADING_S3_PATH_STYLE", kind: trueOrFalse, default: "`true` with an endpoint" },
    meaning: "whether the bucket is in the path of addresses: `true` or `false`",
  },
  accessKeyId: {
    ...keyOfBucket,
    ...{
      variable: "LADING_S3_ACCESS_KEY_ID",
      meaning: "access key of the bucket; with its secret or not at all",
    },
  },
  secretAccessKey: {
    ...keyOfBucket,
    ...{ variable: "LADING_S3_SECRET_ACCESS_KEY", secret: true, meaning: "its secret" },
  },
} as const satisfies Record<keyof S3Options, Setting>;

/** Every setting of the service, in the order of docs/operations.md. */
export const allSettings: readonly Setting[] = [...Object.values(settings), ...Object.values(s3Settings)];
