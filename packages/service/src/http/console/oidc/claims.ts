import { isGroupName } from "../../../tenants/group-roles.ts";
import type { Identity } from "../../../tenants/persons.ts";

/** The claims of an ID token or of UserInfo, whose signature or origin was verified. */
export type Claims = Readonly<Record<string, unknown>>;

export const claimLimits = {
  /** Characters of `sub` (OpenID Connect Core 1.0, 2). */
  subject: 255,
  /** Characters of a name; the rest is cut off. */
  name: 128,
  /** Groups of a person. */
  groups: 10_000,
} as const;

/** The claims of a person cannot be used; the message says why. */
export class WrongClaims extends Error {
  override name = "WrongClaims";
}

/** Reads a person from claims. Throws `WrongClaims`. */
export function identityOf(claims: Claims, issuer: string, groupsClaim: string): Identity {
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > claimLimits.subject || !isPlain(sub))
    throw new WrongClaims(`The claim "sub" is not a text of 1 to ${claimLimits.subject} characters`);
  return { issuer, subject: sub, name: nameOf(claims) ?? "?", groups: groupsOf(claims, groupsClaim) };
}

/** PostgreSQL stores neither NUL nor half a character: two persons could become one. */
const isPlain = (text: string) => !text.includes("\0") && text.isWellFormed();

/** A name for people to read, without characters that hide or turn round what is next to them. */
function nameOf(claims: Claims): string | undefined {
  for (const claim of ["name", "preferred_username", "email", "sub"]) {
    const value = claims[claim];
    if (typeof value !== "string") continue;
    const shown = value
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
      .trim();
    if (shown !== "") return [...shown.slice(0, 2 * claimLimits.name)].slice(0, claimLimits.name).join("");
  }
  return undefined;
}

function groupsOf(claims: Claims, claim: string): string[] {
  const value = claims[claim];
  // Entra ID leaves out more than 200 groups, and says where they could be read.
  const elsewhere = claims._claim_names;
  if (value === undefined && typeof elsewhere === "object" && elsewhere !== null && claim in elsewhere)
    throw new WrongClaims(
      `The person has too many groups for the claim "${claim}": let the provider send only those that it assigns to this service`,
    );
  const groups = value === undefined || value === null ? [] : typeof value === "string" ? [value] : value;
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === "string"))
    throw new WrongClaims(`The claim "${claim}" is not a list of strings`);
  if (groups.length > claimLimits.groups)
    throw new WrongClaims(
      `The claim "${claim}" has ${groups.length} groups; at most ${claimLimits.groups} are read`,
    );
  // No other can have a role.
  return groups.filter(isGroupName);
}
