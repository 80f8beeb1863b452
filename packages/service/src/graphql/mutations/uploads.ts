import { GraphQLInputObjectType, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import { newUploadKey, type UploadType, uploadFolders } from "../../uploads/keys.ts";
import type { CoreContext } from "../context.ts";
import { lenientEnum } from "../derive/input-types.ts";
import { float, integer, listOf, text } from "../derive/non-null.ts";
import { adminField } from "../root-fields.ts";
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

const UploadInput = new GraphQLInputObjectType({
  name: "GeneratePresignedUploadRequestInput",
  fields: {
    type: { type: new GraphQLNonNull(FileUploadType) },
    filename: { type: text },
    contentType: { type: text },
  },
});

interface UploadRequest {
  type: UploadType;
  filename: string;
  contentType: string;
}

type Given = Partial<UploadRequest> & { input?: UploadRequest | null };

export const uploadMutations = {
  generatePresignedUploadRequest: adminField<Given>({
    type: resultUnion("GeneratePresignedUploadRequestResult", [PresignedUploadRequest]),
    description: "Presigns the upload of one file. Takes an `input`, or its fields as arguments.",
    args: {
      input: { type: UploadInput },
      type: { type: FileUploadType },
      filename: { type: GraphQLString },
      contentType: { type: GraphQLString },
    },
    resolve: async (given, context) => presign(requestOf(given), context),
  }),
};

/** Rejects with `ValidationError` unless all three are given, in either of the two forms. */
function requestOf({ input, ...flat }: Given): UploadRequest {
  if (input && Object.keys(flat).length > 0)
    reject("ValidationError", `Give either input or ${Object.keys(flat).join(", ")}, not both`);
  const { type, filename, contentType } = input ?? flat;
  const missing = (name: string) => reject("ValidationError", `"${name}" is missing`, [name]);
  return {
    type: type || missing("type"),
    filename: filename || missing("filename"),
    contentType: contentType || missing("contentType"),
  };
}

function presign({ type, filename }: UploadRequest, { services, tenant }: CoreContext) {
  return services.presign({
    key: newUploadKey(tenant.id, filename, type),
    maxBytes: tenant.settings.uploadMaxBytes,
    lifetimeSeconds: tenant.settings.uploadLifetimeSeconds,
  });
}
