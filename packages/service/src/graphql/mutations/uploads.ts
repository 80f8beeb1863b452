import { shortened } from "@lading/schema/internal";
import {
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../errors.ts";
import { untakenHours } from "../../storage/task-details/pictures.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import { requireAllowedSize } from "../../tasks/file/uploaded-file.ts";
import { notePicture, requireDigest } from "../../tasks/pictures.ts";
import { noteUpload } from "../../tasks/uploads.ts";
import { newUploadKey, type UploadType, uploadFolders } from "../../uploads/keys.ts";
import type { PresignedUpload, UploadMethod as UploadMethodName } from "../../uploads/policy.ts";
import type { CoreContext } from "../context.ts";
import { lenientEnum } from "../derive/input-types.ts";
import { float, integer, listOf, text } from "../derive/non-null.ts";
import { forArgument } from "../field-rights.ts";
import { writeField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";

const FileUploadType = lenientEnum("FileUploadType", Object.keys(uploadFolders));

const FormField = new GraphQLObjectType({
  name: "PresignedUploadField",
  fields: { name: { type: text }, value: { type: text } },
});

const UploadMethod = lenientEnum<UploadMethodName>("UploadMethod", ["POST", "PUT"], {
  POST: "A form: all fields in their order, then the file as the part named `file`.",
  PUT: "The file alone, as the body of the request; its field `key` is not sent.",
});

const PresignedUploadRequest = new GraphQLObjectType({
  name: "PresignedUploadRequest",
  description: "A request that uploads one file, by its `method`.",
  fields: {
    method: { type: new GraphQLNonNull(UploadMethod) },
    url: { type: text },
    fields: { type: listOf(FormField) },
    maxSize: { type: float, description: "The largest file, in bytes." },
    lifetime: {
      type: integer,
      description: "How long the request is valid, in seconds.",
    },
  },
});

const sha256 = {
  type: GraphQLString,
  description:
    "For a picture that a mass operation file names by its path: its SHA-256, by which `storedPictures` finds it. " +
    `Unless a task or an image names it within ${untakenHours} hours, it is deleted.`,
};

const size = {
  type: GraphQLFloat,
  description:
    "The size of the file, in bytes. Required with the method PUT, which takes a file of this size only.",
};

const methods = {
  type: new GraphQLList(new GraphQLNonNull(UploadMethod)),
  description:
    "The methods that the client can upload by; the answer has the one that the object store takes. Default: POST.",
};

const UploadInput = new GraphQLInputObjectType({
  name: "GeneratePresignedUploadRequestInput",
  fields: {
    type: { type: new GraphQLNonNull(FileUploadType) },
    filename: { type: text },
    contentType: { type: text },
    ...{ sha256, size, methods },
  },
});

interface UploadRequest {
  type: UploadType;
  filename: string;
  contentType: string;
  sha256?: string | null;
  size?: number | null;
  methods?: readonly UploadMethodName[] | null;
}

type Given = Partial<UploadRequest> & { input?: UploadRequest | null };

export const uploadMutations = {
  generatePresignedUploadRequest: writeField<Given>({
    type: resultUnion("GeneratePresignedUploadRequestResult", [PresignedUploadRequest]),
    description: "Presigns the upload of one file. Takes an `input`, or its fields as arguments.",
    args: {
      input: { type: UploadInput },
      type: { type: FileUploadType },
      filename: { type: GraphQLString },
      contentType: { type: GraphQLString },
      ...{ sha256, size, methods },
    },
    exception: forArgument("plan", "type", "MASS_OPERATIONS"),
    resolve: async (given, context) => presign(requestOf(given), context),
  }),
};

/** Rejects with `ValidationError` unless all three are given, in either of the two forms. */
function requestOf({ input, ...flat }: Given): UploadRequest {
  if (input && Object.keys(flat).length > 0)
    reject("ValidationError", `Give either input or ${Object.keys(flat).join(", ")}, not both`);
  const { type, filename, contentType, ...more } = input ?? flat;
  const missing = (name: string) => reject("ValidationError", `"${name}" is missing`, [name]);
  if (typeof more.sha256 === "string") {
    requireDigest(more.sha256, ["sha256"]);
    if (type !== "MEDIA") reject("ValidationError", "A picture has the type MEDIA", ["type"]);
  }
  return {
    ...more,
    type: type || missing("type"),
    filename: filename || missing("filename"),
    contentType: contentType || missing("contentType"),
  };
}

async function presign(
  { type, filename, sha256, size, methods }: UploadRequest,
  { services, tenant }: CoreContext,
): Promise<PresignedUpload> {
  const { uploadMaxBytes: maxBytes, uploadLifetimeSeconds: lifetimeSeconds } = tenant.settings;
  const possible = methods ?? ["POST"];
  const bytes = size ?? undefined;
  if (bytes !== undefined) requireSize(tenant, filename, bytes);
  else if (possible.includes("PUT")) reject("ValidationError", '"size" is missing: PUT needs it', ["size"]);
  const key = newUploadKey(tenant.id, filename, type);
  const upload = await services.presign({ key, maxBytes, bytes, lifetimeSeconds });
  requireMethod(upload, possible);
  if (typeof sha256 === "string") await notePicture(services.database, tenant.id, { key, sha256 });
  if (type === "MASS_OPERATIONS")
    await noteUpload(services.database, { tenantId: tenant.id, key, lifetimeSeconds });
  return upload;
}

function requireSize(tenant: Tenant, filename: string, bytes: number): void {
  if (!Number.isSafeInteger(bytes) || bytes < 1)
    reject("ValidationError", "The size must be a whole number of bytes, at least 1", ["size"]);
  requireAllowedSize(tenant, bytes, shortened(filename), ["size"]);
}

/** Rejects with `ValidationError` a client that cannot upload by the store's method. */
function requireMethod({ method }: PresignedUpload, possible: readonly UploadMethodName[]): void {
  if (possible.includes(method)) return;
  const advice = method === "PUT" ? ', with the "size" of the file' : "";
  reject(
    "ValidationError",
    `The object store of this service takes files by ${method} only. ` +
      `If this client can, give "methods: [${method}]"${advice}, and upload by the method of the response`,
    ["methods"],
  );
}
