import { PutObjectCommand } from "@aws-sdk/client-s3";
import { createPresignedPost } from "@aws-sdk/s3-presigned-post";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { PresignedUpload, PresignUpload } from "./policy.ts";
import { askS3, type S3Bucket } from "./s3-errors.ts";

/**
 * Presigns uploads to a bucket as `presignUpload` does for the embedded store: the policy fixes the key and the size,
 * and the store answers 201. S3 enforces it; the service sees the file only afterwards.
 */
export function s3FormPresigner({ client, name }: S3Bucket): PresignUpload {
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
      method: "POST",
      url,
      fields: Object.entries(ordered).map(([field, value]) => ({ name: field, value })),
      maxSize: maxBytes,
      lifetime: lifetimeSeconds,
    };
  };
}

/**
 * Presigns uploads to a bucket whose store takes no form. The signature fixes the key and the size: without one, only
 * an empty file fits.
 */
export function s3PutPresigner({ client, name }: S3Bucket): PresignUpload {
  return async ({ key, maxBytes, bytes = 0, lifetimeSeconds }): Promise<PresignedUpload> => {
    const put = new PutObjectCommand({ Bucket: name, Key: key, ContentLength: bytes });
    return {
      method: "PUT",
      url: await askS3(getSignedUrl(client, put, { expiresIn: lifetimeSeconds })),
      fields: [{ name: "key", value: key }],
      maxSize: maxBytes,
      lifetime: lifetimeSeconds,
    };
  };
}
