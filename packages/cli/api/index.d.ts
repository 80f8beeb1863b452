interface Kind<Value> {
  read(text: string): unknown;
  accepts(value: unknown): value is Value;
  readonly right: string;
  problem?(value: unknown): string | undefined;
  readonly range?: string;
  readonly words?: readonly string[];
}
declare const s3Settings: {
  readonly bucket: {
    readonly variable: "LADING_S3_BUCKET";
    readonly kind: Kind<string>;
  };
  readonly endpoint: {
    readonly variable: "LADING_S3_ENDPOINT";
    readonly kind: Kind<string>;
  };
  readonly region: {
    readonly variable: "LADING_S3_REGION";
    readonly kind: Kind<string>;
    readonly default: "us-east-1";
  };
  readonly uploads: {
    readonly variable: "LADING_S3_UPLOADS";
    readonly kind: Kind<"post" | "put">;
    readonly default: "post";
  };
  readonly pathStyle: {
    readonly variable: "LADING_S3_PATH_STYLE";
    readonly kind: Kind<boolean>;
  };
  readonly accessKeyId: {
    readonly variable: "LADING_S3_ACCESS_KEY_ID";
    readonly kind: Kind<string>;
  };
  readonly secretAccessKey: {
    readonly variable: "LADING_S3_SECRET_ACCESS_KEY";
    readonly kind: Kind<string>;
    readonly secret: true;
  };
};
declare const embeddedEngines: readonly ["native", "pglite"];
type EmbeddedEngine = (typeof embeddedEngines)[number];
type Engine = "postgresql" | EmbeddedEngine;
declare const settings: {
  readonly port: {
    readonly variable: "LADING_PORT";
    readonly option: "--port <port>";
    readonly kind: Kind<number>;
    readonly default: 4000;
  };
  readonly metricsPort: {
    readonly variable: "LADING_METRICS_PORT";
    readonly kind: Kind<number>;
  };
  readonly host: {
    readonly variable: "LADING_HOST";
    readonly option: "--host <host>";
    readonly kind: Kind<string>;
    readonly default: "127.0.0.1";
  };
  readonly dataDir: {
    readonly variable: "LADING_DATA_DIR";
    readonly option: "--data-dir <folder>";
    readonly kind: Kind<string>;
    readonly default: "./.lading";
  };
  readonly memory: {
    readonly variable: "LADING_MEMORY";
    readonly option: "--memory";
    readonly kind: Kind<boolean>;
    readonly default: false;
  };
  readonly databaseUrl: {
    readonly variable: "LADING_DATABASE_URL";
    readonly option: "--database-url <url>";
    readonly kind: Kind<string>;
    readonly secret: true;
  };
  readonly engine: {
    readonly variable: "LADING_ENGINE";
    readonly option: "--engine <engine>";
    readonly kind: Kind<"native" | "pglite">;
  };
  readonly databaseUser: {
    readonly variable: "LADING_DATABASE_USER";
    readonly kind: Kind<string>;
  };
  readonly postgresBin: {
    readonly variable: "LADING_POSTGRES_BIN";
    readonly kind: Kind<string>;
  };
  readonly publicUrl: {
    readonly variable: "LADING_PUBLIC_URL";
    readonly option: "--public-url <url>";
    readonly kind: Kind<string>;
  };
  readonly role: {
    readonly variable: "LADING_ROLE";
    readonly option: "--role <role>";
    readonly kind: Kind<"all" | "api" | "runner">;
    readonly default: "all";
  };
  readonly logLevel: {
    readonly variable: "LADING_LOG_LEVEL";
    readonly option: "--log-level <level>";
    readonly kind: Kind<string>;
    readonly default: "info";
  };
  readonly operatorToken: {
    readonly variable: "LADING_OPERATOR_TOKEN";
    readonly kind: Kind<string>;
    readonly secret: true;
  };
  readonly secondOperatorToken: {
    readonly variable: "LADING_SECOND_OPERATOR_TOKEN";
    readonly kind: Kind<string>;
    readonly secret: true;
  };
  readonly signingKey: {
    readonly variable: "LADING_SIGNING_KEY";
    readonly kind: Kind<string>;
    readonly secret: true;
  };
  readonly secondSigningKey: {
    readonly variable: "LADING_SECOND_SIGNING_KEY";
    readonly kind: Kind<string>;
    readonly secret: true;
  };
  readonly headerWords: {
    readonly variable: "LADING_HEADER_WORDS";
    readonly kind: Kind<string[]>;
    readonly default: readonly ["Service"];
  };
  readonly rateLimit: {
    readonly variable: "LADING_RATE_LIMIT";
    readonly kind: Kind<number>;
    readonly default: 6000;
  };
  readonly wrongCredentialsLimit: {
    readonly variable: "LADING_WRONG_CREDENTIALS_LIMIT";
    readonly kind: Kind<number>;
    readonly default: 60;
  };
  readonly bodyLimit: {
    readonly variable: "LADING_BODY_LIMIT";
    readonly kind: Kind<number>;
    readonly default: number;
  };
  readonly corsOrigins: {
    readonly variable: "LADING_CORS_ORIGINS";
    readonly kind: Kind<string[]>;
    readonly default: readonly [];
  };
  readonly graphiql: {
    readonly variable: "LADING_GRAPHIQL";
    readonly kind: Kind<boolean>;
    readonly default: true;
  };
  readonly console: {
    readonly variable: "LADING_CONSOLE";
    readonly kind: Kind<boolean>;
    readonly default: true;
  };
  readonly oidcIssuer: {
    readonly variable: "LADING_OIDC_ISSUER";
    readonly kind: Kind<string>;
  };
  readonly oidcClientId: {
    readonly variable: "LADING_OIDC_CLIENT_ID";
    readonly kind: Kind<string>;
  };
  readonly oidcClientSecret: {
    readonly variable: "LADING_OIDC_CLIENT_SECRET";
    readonly kind: Kind<string>;
    readonly secret: true;
  };
  readonly oidcScopes: {
    readonly variable: "LADING_OIDC_SCOPES";
    readonly kind: Kind<string[]>;
    readonly default: readonly ["openid", "profile"];
  };
  readonly oidcGroupsClaim: {
    readonly variable: "LADING_OIDC_GROUPS_CLAIM";
    readonly kind: Kind<string>;
    readonly default: "groups";
  };
  readonly trustedProxies: {
    readonly variable: "LADING_TRUSTED_PROXIES";
    readonly kind: Kind<string[]>;
    readonly default: readonly [];
  };
  readonly lease: {
    readonly variable: "LADING_LEASE_MS";
    readonly kind: Kind<number>;
    readonly default: 10000;
  };
  readonly retentionDays: {
    readonly variable: "LADING_RETENTION_DAYS";
    readonly kind: Kind<number>;
  };
  readonly planRetentionDays: {
    readonly variable: "LADING_PLAN_RETENTION_DAYS";
    readonly kind: Kind<number>;
    readonly default: 1;
  };
  readonly approvalRetentionDays: {
    readonly variable: "LADING_APPROVAL_RETENTION_DAYS";
    readonly kind: Kind<number>;
    readonly default: 14;
  };
  readonly slots: {
    readonly variable: "LADING_SLOTS";
    readonly kind: Kind<number>;
    readonly default: 4;
  };
  readonly diskReserve: {
    readonly variable: "LADING_DISK_RESERVE";
    readonly kind: Kind<number>;
    readonly default: number;
  };
  readonly shutdownGrace: {
    readonly variable: "LADING_SHUTDOWN_GRACE_MS";
    readonly kind: Kind<number>;
    readonly default: 10000;
  };
  readonly imageFetches: {
    readonly variable: "LADING_IMAGE_FETCHES";
    readonly kind: Kind<number>;
    readonly default: 16;
  };
  readonly imageHosts: {
    readonly variable: "LADING_IMAGE_HOSTS";
    readonly kind: Kind<string[]>;
    readonly default: readonly [];
  };
  readonly webhookHosts: {
    readonly variable: "LADING_WEBHOOK_HOSTS";
    readonly kind: Kind<string[]>;
    readonly default: readonly [];
  };
  readonly outboundPorts: {
    readonly variable: "LADING_OUTBOUND_PORTS";
    readonly kind: Kind<number[]>;
    readonly default: readonly [];
  };
};
type ValueOf<Row> = Row extends {
  kind: Kind<infer Value>;
} ? Value : never;
type OptionsOf<Table> = { -readonly [Name in keyof Table]?: ValueOf<Table[Name]>; };
type S3Options = OptionsOf<typeof s3Settings> & {
  bucket: string;
};
interface ServiceOptions extends OptionsOf<typeof settings> {
  s3?: S3Options;
}
interface NewTenant {
  identifier: string;
  name?: string;
}
interface ServiceTenant {
  id: string;
  identifier: string;
  url: string;
  accessTokenId: string;
  accessTokenSecret: string;
}
interface RunningService {
  url: string;
  consoleUrl: string | undefined;
  operatorToken: string;
  engine: Engine;
  database: string;
  createTenant(input: NewTenant): Promise<ServiceTenant>;
  stop(reason?: string): Promise<void>;
}
export declare function startService(options?: ServiceOptions): Promise<RunningService>;
export type { NewTenant, RunningService, ServiceOptions, ServiceTenant };
