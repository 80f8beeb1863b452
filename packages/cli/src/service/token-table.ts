import { plain, type Sink, table } from "../context.ts";

/** An access token as the service lists it: without its secret. */
export interface AccessToken {
  id: string;
  name: string;
  role: "admin" | "reader";
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

export const tokenFields = "id name role createdAt expiresAt lastUsedAt";

export function tokenTable(sink: Sink, tokens: readonly AccessToken[]): void {
  const rows = tokens.map(({ id, name, role, createdAt, expiresAt, lastUsedAt }) => [
    id,
    plain(name),
    role,
    createdAt,
    expiresAt ?? "never",
    lastUsedAt ?? "never",
  ]);
  table(sink, [["token id", "name", "role", "created", "expires", "last used"], ...rows]);
}
