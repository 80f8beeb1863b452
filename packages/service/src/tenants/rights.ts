import { type TokenRole, tokenRoles } from "@lading/schema/internal";

/** The rights of a tenant's callers: the first role that has each, and its name in a refusal. */
export const rights = {
  read: { role: "reader", name: "reading" },
  plan: { role: "planner", name: "uploading and planning" },
  readPlannedValues: { role: "planner", name: "the values that its own plans would change" },
  write: { role: "admin", name: "a mutation" },
  readValues: { role: "admin", name: "the values that operations changed" },
  readPersonalData: { role: "admin", name: "a file with personal data" },
  readFailures: { role: "admin", name: "a file of failures" },
  readPictures: { role: "admin", name: "the list of stored pictures" },
  readTokens: { role: "admin", name: "the list of access tokens" },
  readWebhook: { role: "admin", name: "the address of a webhook" },
  dump: { role: "admin", name: "a dump" },
} as const satisfies Record<string, { role: TokenRole; name: string }>;

export type Right = keyof typeof rights;

export const may = ({ role }: { readonly role: TokenRole }, right: Right): boolean =>
  tokenRoles.indexOf(role) >= tokenRoles.indexOf(rights[right].role);

/**
 * Why a token lacks a right; undefined if it has it.
 *
 * @param exception the requests for which another right suffices
 */
export function refusalOf(
  token: { readonly role: TokenRole },
  right: Right,
  exception?: { readonly right: Right; readonly name: string },
): string | undefined {
  if (may(token, right)) return undefined;
  const lesser = exception ? `, or ${rights[exception.right].role} ${exception.name}` : "";
  const { role, name } = rights[right];
  return `Your role is ${token.role}; ${name} needs the role ${role}${lesser}`;
}
