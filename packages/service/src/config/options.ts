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
  /** Bytes that stay free on the disks of the embedded database and of uploads; 0: any. Default 128 MiB. */
  diskReserve?: number;
  /** How long requests and batches may go on once the service is to stop, in milliseconds. Default 10,000. */
  shutdownGrace?: number;
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
