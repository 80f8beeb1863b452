import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  type SigningCredential,
  sameSignature,
  signPolicy,
} from "../../../packages/service/src/uploads/signature.ts";
import { UploadRefused, verifyUpload } from "../../../packages/service/src/uploads/verify.ts";

/**
 * Checks a form as S3 does: its policy, the signature of that, and the size of the file.
 * @throws UploadRefused
 */
export async function checkForm(
  { url = "", headers }: IncomingMessage,
  body: Buffer,
  credential: SigningCredential,
): Promise<void> {
  const type = headers["content-type"] ?? "";
  const form = await new Response(Uint8Array.from(body), { headers: { "content-type": type } }).formData();
  const fields = new Map<string, string>();
  let bytes = 0;
  for (const [name, value] of form)
    if (typeof value === "string") fields.set(name.toLowerCase(), value);
    else bytes = value.size;
  const bucket = url.slice(1);
  const { minBytes, maxBytes } = verifyUpload(fields, { bucket, credential, now: new Date() });
  if (bytes < minBytes) throw new UploadRefused(400, "EntityTooSmall", "the file is too small");
  if (bytes > maxBytes) throw new UploadRefused(400, "EntityTooLarge", "the file is too large");
}

/**
 * Checks a presigned request as S3 does: its expiry, and the signature over its method, path, query and signed headers.
 * Written from AWS's description of Signature Version 4, not by the SDK that signs.
 * @throws UploadRefused
 */
export function checkPresigned(
  { method = "", url = "", headers }: IncomingMessage,
  credential: SigningCredential,
): void {
  const { pathname, searchParams: query } = new URL(url, "http://store");
  const value = (name: string) => query.get(`X-Amz-${name}`) ?? "";
  const [signature, date, signedHeaders] = [value("Signature"), value("Date"), value("SignedHeaders")];
  const time = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Date.now() < time + Number(value("Expires")) * 1_000))
    throw new UploadRefused(403, "AccessDenied", "Request has expired");
  const encoded = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const canonicalQuery = [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, text]) => `${encoded(name)}=${encoded(text)}`)
    .sort()
    .join("&");
  const signed = signedHeaders.split(";").map((name) => `${name}:${headers[name] ?? ""}\n`);
  const request = [method, pathname, canonicalQuery, signed.join(""), signedHeaders, "UNSIGNED-PAYLOAD"];
  const [, ...scope] = value("Credential").split("/");
  const text = ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(request.join("\n"))].join("\n");
  if (!sameSignature(signature, signPolicy(text, credential, scope[0] ?? "")))
    throw new UploadRefused(403, "SignatureDoesNotMatch", "The request is not what was signed");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
