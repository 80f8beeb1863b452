import type { Database } from "../../packages/service/src/storage/database.ts";
import { tablesOfTenants } from "../../packages/service/src/storage/tenants/tenants.ts";

/** Every row that is a tenant's, by table, in a stable order. */
export type TenantState = Record<string, Record<string, unknown>[]>;

/** All that the database has of a tenant; the tables are asked of the database, so none is forgotten. */
export async function stateOf(database: Database, tenantId: string): Promise<TenantState> {
  const state: TenantState = {
    tenants: await database.query("SELECT * FROM tenants WHERE id = $1", [tenantId]),
  };
  for (const table of [...(await tablesOfTenants(database)), "audit_trail"]) {
    const rows = await database.query<Record<string, unknown>>(
      `SELECT * FROM ${table} WHERE tenant_id = $1 ORDER BY t::text`.replace("t::text", `${table}::text`),
      [tenantId],
    );
    // The owner's own use of a token does not count as a change.
    state[table] = rows.map(({ last_used_at: _, ...row }) => row);
  }
  return state;
}

/** Every text in a value, at any depth, keys of objects apart. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

const keyColumns = /^(?:id|key|sku|identifier|.*_(?:id|identifier|key|reference))$/;

/** A key, and the table or list of settings that it is of. */
export interface OwnedKey {
  real: string;
  table: string;
}

/** One value of each key-like column, except of references to other tables, and the keys of settings. */
export function keysIn(state: TenantState): OwnedKey[] {
  const columns = Object.entries(state).flatMap(([table, rows]) =>
    Object.keys(rows[0] ?? {})
      .filter((column) => keyColumns.test(column) && table !== "audit_trail" && column !== "tenant_id")
      .map((column) => {
        const real = rows.find((row) => typeof row[column] === "string" && row[column] !== "")?.[column];
        return { real, table, isOwn: /^(?:id|identifier|sku|key)$/.test(column) };
      }),
  );
  const settings = Object.entries(Object.groupBy(state.settings ?? [], ({ list }) => String(list))).map(
    ([table, rows]) => ({ real: rows?.at(-1)?.identifier, table, isOwn: true }),
  );
  const first = new Map<string, OwnedKey>();
  for (const { real, table } of [...columns, ...settings].sort((one, other) => +other.isOwn - +one.isOwn))
    if (typeof real === "string" && real.length >= shortestKey && !first.has(real))
      first.set(real, { real, table });
  return [...first.values()];
}

/** The shortest key to look for: a shorter one would occur in an id by chance. */
const shortestKey = 6;

/** A key of the same form that nothing has: other letters and digits, of the same kinds. */
export function twinOf(key: string): string {
  const cursor = cursorIn(key);
  if (cursor !== undefined) return Buffer.from(JSON.stringify(cursor.map(twinOf))).toString("base64url");
  const random = /[0-9a-f]{24,}/.test(key) ? /[0-9a-f]{24,}/g : /.+/g;
  return key.replace(random, otherLetters);
}

const otherLetters = (text: string) =>
  text.replace(/[0-9a-zA-Z]/g, (letter) => {
    const [from, to] = alphabets.find(([letters]) => letters.includes(letter)) as [string, string];
    return to[from.indexOf(letter)] as string;
  });

const alphabets: readonly [string, string][] = [
  ["0123456789", "7890123456"],
  ["abcdef", "cdefab"],
  ["ghijklmnopqrstuvwxyz", "opqrstuvwxyzghijklmn"],
  ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "NOPQRSTUVWXYZABCDEFGHIJKLM"],
];

/** The key values in a cursor of a list, or undefined when the text is none. */
function cursorIn(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(value) && value.every((part) => typeof part === "string") ? value : undefined;
  } catch {
    return undefined;
  }
}
