import { GraphQLInputObjectType, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import { untakenHours } from "../../storage/task-details/pictures.ts";
import { notePicture, requireDigest } from "../../tasks/pictures.ts";
import { noteUpload } from "../../tasks/uploads.ts";
import { newUploadKey, type UploadType, uploadFolders } from "../../uploads/keys.ts";
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

const PresignedUploadRequest = new GraphQLObjectType({
  name: "PresignedUploadRequest",
  description: "A form: send all fields in their order, then the file as the part named `file`.",
  fields: {
    url: { type: text },
    fields: { type: listOf(FormField) },
    maxSize: { type: float, description: "The largest file, in bytes." },
    lifetime: {
      type: integer,
      description: "How long the form is valid, in seconds.",
    },
  },
});

const sha256 = {
  type: GraphQLString,
  description:
    "For a picture that a mass operation file names by its path: its SHA-256, by which `storedPictures` finds it. " +
    `Unless a task or an image names it within ${untakenHours} hours, it is deleted.`,
};

const UploadInput = new GraphQLInputObjectType({
  name: "GeneratePresignedUploadRequestInput",
  fields: {
    type: { type: new GraphQLNonNull(FileUploadType) },
    filename: { type: text },
    contentType: { type: text },
    sha256,
  },
});

interface UploadRequest {
  type: UploadType;
  filename: string;
  contentType: string;
  sha256?: string | null;
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
      sha256,
    },
    exception: forArgument("plan", "type", "MASS_OPERATIONS"),
    resolve: async (given, context) => presign(requestOf(given), context),
  }),
};

/** Rejects with `ValidationError` unless all three are given, in either of the two forms. */
function requestOf({ input, ...flat }: Given): UploadRequest {
  if (input && Object.keys(flat).length > 0)
    reject("ValidationError", `Give either input or ${Object.keys(flat).join(", ")}, not both`);
  const { type, filename, contentType, sha256 } = input ?? flat;
  const missing = (name: string) => reject("ValidationError", `"${name}" is missing`, [name]);
  if (typeof sha256 === "string") {
    requireDigest(sha256, ["sha256"]);
    if (type !== "MEDIA") reject("ValidationError", "A picture has the type MEDIA", ["type"]);
  }
  return {
    ...(sha256 !== undefined && { sha256 }),
    type: type || missing("type"),
    filename: filename || missing("filename"),
    contentType: contentType || missing("contentType"),
  };
}

async function presign({ type, filename, sha256 }: UploadRequest, { services, tenant }: CoreContext) {
  const { uploadMaxBytes: maxBytes, uploadLifetimeSeconds: lifetimeSeconds } = tenant.settings;
  const key = newUploadKey(tenant.id, filename, type);
  if (typeof sha256 === "string") await notePicture(services.database, tenant.id, { key, sha256 });
  if (type === "MASS_OPERATIONS")
    await noteUpload(services.database, { tenantId: tenant.id, key, lifetimeSeconds });
  return services.presign({ key, maxBytes, lifetimeSeconds });
}
