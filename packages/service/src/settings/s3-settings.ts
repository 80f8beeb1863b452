import * as kinds from "./kinds.ts";
import type { Setting } from "./setting.ts";

const sdkCredentials = "the SDK's chain: environment, profile, container, instance";

export const s3Settings = {
  bucket: {
    variable: "LADING_S3_BUCKET",
    kind: kinds.anyText,
    meaning: "bucket of S3, or of a store that speaks its protocol, for uploads instead of the data folder",
  },
  endpoint: {
    variable: "LADING_S3_ENDPOINT",
    kind: kinds.httpAddress,
    otherwise: "AWS",
    meaning: "endpoint of the bucket's store, such as `https://s3.example.com`",
  },
  region: {
    variable: "LADING_S3_REGION",
    kind: kinds.anyText,
    default: "us-east-1",
    meaning: "region of the bucket",
  },
  uploads: {
    variable: "LADING_S3_UPLOADS",
    kind: kinds.oneOf(["post", "put"]),
    default: "post",
    meaning:
      "how clients send files to the bucket: `post` presigns a form, `put` a PUT, for stores that take no form, such " +
      "as Cloudflare R2 and Backblaze B2",
  },
  pathStyle: {
    variable: "LADING_S3_PATH_STYLE",
    kind: kinds.trueOrFalse,
    otherwise: "`true` with an endpoint",
    meaning: "whether addresses name the bucket in their path instead of their host",
  },
  accessKeyId: {
    variable: "LADING_S3_ACCESS_KEY_ID",
    kind: kinds.anyText,
    otherwise: sdkCredentials,
    meaning: "access key of the bucket; set it together with its secret",
  },
  secretAccessKey: {
    variable: "LADING_S3_SECRET_ACCESS_KEY",
    kind: kinds.anyText,
    otherwise: sdkCredentials,
    secret: true,
    meaning: "secret of the access key",
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** The settings of the bucket to move uploads to, to which no client sends any: `LADING_TO_S3_BUCKET` and so on. */
export const targetS3Settings: Readonly<Record<Exclude<keyof typeof s3Settings, "uploads">, Setting>> = {
  bucket: ofTarget(s3Settings.bucket),
  endpoint: ofTarget(s3Settings.endpoint),
  region: ofTarget(s3Settings.region),
  pathStyle: ofTarget(s3Settings.pathStyle),
  accessKeyId: ofTarget(s3Settings.accessKeyId),
  secretAccessKey: ofTarget(s3Settings.secretAccessKey),
};

function ofTarget(setting: Setting): Setting {
  return { ...setting, variable: `LADING_TO_${setting.variable.slice("LADING_".length)}` };
}
