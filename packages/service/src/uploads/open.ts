import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type S3Options, type ServiceOptions, s3Settings, settings } from "../settings/settings.ts";
import { openFileStore } from "./file-store.ts";
import { openMemoryStore } from "./memory-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { type PresignUpload, presignUpload } from "./policy.ts";
import { uploadRoutes } from "./receive.ts";
import { s3FormPresigner, s3PutPresigner } from "./s3-presign.ts";
import { openS3Store, s3Bucket } from "./s3-store.ts";
import type { SigningCredential } from "./signature.ts";

export interface Uploads {
  store: ObjectStore;
  presign: PresignUpload;
  /** The URL that uploads are sent to, or its origin. */
  address(): string;
  /** Adds the route for upload forms, if the service receives them itself. */
  register(server: FastifyInstance): Promise<void>;
  /** Sets the URL the service listens on, which its forms name unless there is a public one. */
  reachedBy(url: string): void;
}

type Wrap = (store: ObjectStore) => ObjectStore;

export interface UploadParts {
  /** Signs the forms of the embedded store. */
  credential: SigningCredential;
  /** True when a tenant exists; uploads for others are refused. */
  tenantExists: (id: string) => Promise<boolean>;
  /** Wraps the store, for fault injection. */
  wrap?: Wrap | undefined;
}

/** The name of the embedded store's only bucket; form uploads are posted to `{publicUrl}/uploads`. */
const bucket = "uploads";

export const uploadsFolder = (dataDir: string): string => join(dataDir, "uploads");

/** Opens the store that the options name: an S3 bucket, a folder in `dataDir`, or without one memory. */
export async function openUploads(
  {
    s3,
    publicUrl = "",
    diskReserve = settings.diskReserve.default,
    secondSigningKey,
  }: Pick<ServiceOptions, "s3" | "publicUrl" | "diskReserve" | "secondSigningKey">,
  dataDir: string | undefined,
  { credential, tenantExists, wrap = (store) => store }: UploadParts,
): Promise<Uploads> {
  if (s3 !== undefined) return openS3Uploads(s3, wrap);
  const own = dataDir === undefined ? openMemoryStore() : openFileStore(uploadsFolder(dataDir), diskReserve);
  const store = wrap(await own);
  let address = publicUrl;
  return {
    store,
    presign: async (upload) =>
      presignUpload({ ...upload, publicUrl: address, bucket, credential, now: new Date() }),
    address: () => address,
    register: async (server) => {
      await server.register(uploadRoutes, {
        store,
        credential,
        secondSecret: secondSigningKey,
        tenantExists,
        bucket,
        publicUrl: () => address,
      });
    },
    reachedBy: (url) => {
      address ||= url;
    },
  };
}

/** Opens an S3 bucket, to which clients send their files directly. */
export async function openS3Uploads(options: S3Options, wrap: Wrap = (store) => store): Promise<Uploads> {
  const s3 = s3Bucket(options);
  const method = options.uploads ?? s3Settings.uploads.default;
  const presign = { post: s3FormPresigner, put: s3PutPresigner }[method](s3);
  const store = wrap(await openS3Store(s3));
  // It doesn't change: later calls don't depend on the credentials of that moment.
  const { url } = await presign({ key: "address", maxBytes: 1, lifetimeSeconds: 1 });
  const { origin } = new URL(url);
  return {
    store,
    presign,
    address: () => origin,
    register: async () => {},
    reachedBy: () => {},
  };
}
