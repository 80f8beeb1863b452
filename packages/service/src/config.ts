import { isIPv6 } from "node:net";

/** What a process may do. */
export const roles = ["all", "api", "runner"] as const;
export type Role = (typeof roles)[number];

/** How a service is started; what is left out has the default that `serviceOptions` gives. */
export interface ServiceOptions {
  /** 0 takes any free port. Default 4000. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Where the embedded database, uploads and the service's own secrets are. Default ./.lading. */
  dataDir?: string;
  /** A PostgreSQL connection string; without one the database is embedded, in `dataDir`. */
  databaseUrl?: string;
  /** Where uploads are kept instead of `dataDir`: a bucket of S3 or of a store that speaks its protocol. */
  s3?: S3Options;
  /** The address that clients reach the service by; presigned upload requests begin with it. */
  publicUrl?: string;
  /** The right to create tenants. Default: made on first start and kept in `dataDir`. */
  operatorToken?: string;
  /** Signs presigned uploads; services that share a public address share it. Default: made on first start. */
  signingKey?: string;
  /** The middle words of `X-…-Access-Token-Id` and `-Secret` that are understood. Default: Service. */
  headerWords?: string[];
  /** Requests a minute that one access token may send to one process; 0: any number. Default 6,000. */
  rateLimit?: number;
  /** Wrong credentials a minute that may come from one address; 0: any number. Default 60. */
  wrongCredentialsLimit?: number;
  /** The largest body of a GraphQL request, in bytes. Default 8 MiB. */
  bodyLimit?: number;
  /** Origins whose scripts may call from a browser, such as `https://shop.example`; `*` is any. Default: none. */
  corsOrigins?: string[];
  /** Addresses or networks of proxies whose `X-Forwarded-For` is believed. Default: none. */
  trustedProxies?: string[];
  /** What this process does: answer the API, run tasks, or both. Several processes share a PostgreSQL. Default all. */
  role?: Role;
  /** pino's levels. Default info. */
  logLevel?: string;
  /** Length of a task's lease in milliseconds: a runner that died is replaced after it. Default 10,000. */
  lease?: number;
  /** How many tasks are executed side by side. Default 4. */
  slots?: number;
  /** Logs and files of tasks that ended so many days ago are removed, every hour. Default: they are kept. */
  retentionDays?: number;
  /** How many images of one task are fetched at a time. Default 16. */
  imageFetches?: number;
  /** Names or addresses of hosts that images are fetched from though they are not public. Default: none. */
  imageHosts?: string[];
}

/** A bucket of S3 or of a store that speaks its protocol. */
export interface S3Options {
  bucket: string;
  /** Of an S3-compatible store, such as `https://s3.example.com`. Default: AWS, by the region. */
  endpoint?: string;
  /** Default us-east-1. */
  region?: string;
  /** Addresses `<endpoint>/<bucket>` instead of `<bucket>.<endpoint>`. Default: with an endpoint of one's own. */
  pathStyle?: boolean;
  /** Both or none; without them the SDK's default chain: environment, profile, container, instance. */
  accessKeyId?: string;
  secretAccessKey?: string;
}

/** Options from the environment; `LADING_…` variables, empty ones do not count. */
export function serviceOptions(environment: Record<string, string | undefined>): ServiceOptions {
  const text = (name: string) => environment[`LADING_${name}`] || undefined;
  const number = (name: string) => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (!/^\d+$/.test(value)) throw new Error(`LADING_${name} is "${value}"; a whole number is needed`);
    return Number(value);
  };
  const list = (written: string | undefined) => written?.split(",").map((word) => word.trim());
  return {
    port: number("PORT"),
    host: text("HOST"),
    dataDir: text("DATA_DIR"),
    databaseUrl: text("DATABASE_URL"),
    s3: s3Options(text),
    publicUrl: text("PUBLIC_URL"),
    operatorToken: text("OPERATOR_TOKEN"),
    signingKey: text("SIGNING_KEY"),
    headerWords: list(text("HEADER_WORDS")),
    rateLimit: number("RATE_LIMIT"),
    wrongCredentialsLimit: number("WRONG_CREDENTIALS_LIMIT"),
    bodyLimit: number("BODY_LIMIT"),
    corsOrigins: list(text("CORS_ORIGINS")),
    trustedProxies: list(text("TRUSTED_PROXIES")),
    role: text("ROLE") as Role | undefined,
    logLevel: text("LOG_LEVEL"),
    lease: number("LEASE_MS"),
    slots: number("SLOTS"),
    retentionDays: number("RETENTION_DAYS"),
    imageFetches: number("IMAGE_FETCHES"),
    imageHosts: list(text("IMAGE_HOSTS")),
  };
}

/** The least that some numbers may be. */
const minima = { lease: 1_000, slots: 1, imageFetches: 1 } as const;

/** @throws Error that names the option which no service can be started with, and what would be right */
export function checkOptions(options: ServiceOptions): void {
  for (const [name, least] of Object.entries(minima) as [keyof typeof minima, number][]) {
    const value = options[name];
    if (value !== undefined && !(value >= least))
      throw new Error(`${name} is ${value}; it must be ${least} or more`);
  }
  if (options.role !== undefined && !roles.includes(options.role))
    throw new Error(`role is "${options.role}"; it must be one of ${roles.join(", ")}`);
  if (options.role !== undefined && options.role !== "all" && options.databaseUrl === undefined)
    throw new Error(
      `role ${options.role} needs a database URL: the embedded database belongs to one process, which does all`,
    );
  const wrong = options.imageHosts?.find((host) => !isHost(host));
  if (wrong !== undefined)
    throw new Error(
      `imageHosts has "${wrong}"; name hosts alone, such as cdn.internal or 10.0.0.7, without protocol, port or path`,
    );
}

const isHost = (text: string) => isIPv6(text.replace(/^\[(.*)\]$/, "$1")) || /^[a-z0-9_.-]+$/i.test(text);

/** A bucket makes it S3; any other of its settings without one is a mistake. */
function s3Options(text: (name: string) => string | undefined): S3Options | undefined {
  const settings = {
    bucket: text("S3_BUCKET"),
    endpoint: text("S3_ENDPOINT"),
    region: text("S3_REGION"),
    pathStyle: text("S3_PATH_STYLE"),
    accessKeyId: text("S3_ACCESS_KEY_ID"),
    secretAccessKey: text("S3_SECRET_ACCESS_KEY"),
  };
  const { bucket, pathStyle, ...rest } = settings;
  if (bucket === undefined) {
    if (Object.values(settings).every((value) => value === undefined)) return undefined;
    throw new Error("LADING_S3_BUCKET is missing: the other settings of S3 are of no use without it");
  }
  if ((rest.accessKeyId === undefined) !== (rest.secretAccessKey === undefined))
    throw new Error("Set both LADING_S3_ACCESS_KEY_ID and LADING_S3_SECRET_ACCESS_KEY, or none of them");
  if (pathStyle !== undefined && !["true", "false"].includes(pathStyle))
    throw new Error(`LADING_S3_PATH_STYLE is "${pathStyle}"; true or false is needed`);
  return { bucket, ...rest, ...(pathStyle !== undefined && { pathStyle: pathStyle === "true" }) };
}
