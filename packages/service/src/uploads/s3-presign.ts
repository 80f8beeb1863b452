import { createPresignedPost } from "@aws-sdk/s3-presigned-post";
import type { PresignedUpload, PresignUpload } from "./policy.ts";
import { askS3, type S3Bucket } from "./s3-errors.ts";

/**
 * Presigns uploads to a bucket as `presignUpload` does for the embedded store: the policy fixes the key and the size,
 * and the store answers 201. S3 enforces it; the service sees the file only afterwards.
 */
export function s3Presigner({ client, name }: S3Bucket): PresignUpload {
  return async ({ key, maxBytes, lifetimeSeconds }): Promise<PresignedUpload> => {
    const post = createPresignedPost(client, {
      Bucket: name,
      Key: key,
      Conditions: [["content-length-range", 1, maxBytes]],
      Fields: { success_action_status: "201" },
      Expires: lifetimeSeconds,
    });
    const { url, fields } = await askS3(post);
    const { key: signedKey = key, bucket = name, success_action_status = "201", ...rest } = fields;
    const ordered = { key: signedKey, bucket, ...rest, success_action_status };
    return {
      url,
      fields: Object.entries(ordered).map(([field, value]) => ({ name: field, value })),
      maxSize: maxBytes,
      lifetime: lifetimeSeconds,
    };
  };
}
