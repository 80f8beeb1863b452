import { createHmac, createSecretKey, hkdfSync } from "node:crypto";

/** Makes deterministic pseudonyms, which nobody can reverse without the key. */
export interface Pseudonyms {
  /** A text that begins with a word for what it stands for. */
  text(word: string, text: string): string;
  /** An email address that leads nowhere. */
  email(text: string): string;
  /** The name by which others refer to a customer: an email address stays one. */
  identifier(text: string): string;
  /** A phone number of a country code that no country has. */
  phone(text: string): string;
  /** A date from 1940 on. */
  date(text: string): string;
}

/** Gives the pseudonyms of a tenant. */
export type PseudonymsOf = (tenantId: string) => Pseudonyms;

/**
 * Derives the key of each tenant from the service's signing key: two dumps of a tenant have the same pseudonyms, as
 * long as that key is not rotated, and those of two tenants have nothing in common.
 */
export function openPseudonyms(signingKey: string): PseudonymsOf {
  return (tenantId) =>
    pseudonymsWith(new Uint8Array(hkdfSync("sha256", signingKey, tenantId, "lading pseudonyms", 32)));
}

const millisecondsOfDay = 86_400_000;
const firstDay = Date.UTC(1940, 0, 1) / millisecondsOfDay;
const days = 60 * 365;

function pseudonymsWith(bytes: Uint8Array): Pseudonyms {
  const key = createSecretKey(bytes);
  // As a buffer, the digest would take seven times as long.
  const hash = (kind: string, text: string) =>
    createHmac("sha256", key).update(`${kind}\0${text}`).digest("hex");
  const hex = (kind: string, text: string) => hash(kind, text).slice(0, 20);
  const number = (kind: string, text: string) => Number.parseInt(hash(kind, text).slice(0, 12), 16);
  const email = (text: string) => `${hex("email", text)}@example.invalid`;
  return {
    email,
    text: (word, text) => `${word}-${hex(word, text)}`,
    identifier: (text) => (text.includes("@") ? email(text) : `customer-${hex("customer", text)}`),
    phone: (text) => `+999${String(number("phone", text) % 1e10).padStart(10, "0")}`,
    date: (text) => new Date((firstDay + (number("date", text) % days)) * millisecondsOfDay).toISOString(),
  };
}
