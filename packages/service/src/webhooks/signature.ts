import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** Makes a secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString("base64");

export interface Message {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks (standardwebhooks.com) for a message: one signature per secret, so that a receiver
 * may have either of them.
 */
export function signedHeaders(message: Message, secrets: readonly string[]): Record<string, string> {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(message.timestamp),
    "webhook-signature": secrets.map((secret) => `v1,${signature(message, secret)}`).join(" "),
  };
}

function signature({ id, timestamp, body }: Message, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
}
