import { hash } from "node:crypto";

/** The first 64 bits of the SHA-1 of a text, the lowest byte first. */
export const sha1Key = (text: string): bigint => hash("sha1", text, "buffer").readBigUInt64LE(0);

export const sha1Hex = (text: string): string => hash("sha1", text);
