import {
  describe,
  type fetchVersions,
  list,
  misuseOf,
  quoted,
  type WrittenCall,
} from "@lading/schema/internal";
import { type ErrorName, reject } from "../errors.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import type { Loaded } from "../storage/unit-of-work/loaded.ts";
import type { Prefetch } from "../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import { alternatives } from "../tenants/alternatives.ts";

/** The context of template helpers, which see the writes of earlier operations. */
export interface HelperContext {
  readonly unit: UnitOfWork;
  readonly tenant: Tenant;
}

/** The language and version in which an entity is fetched; helpers that take neither get the defaults. */
export interface FetchScope {
  readonly language: string;
  readonly version: (typeof fetchVersions)[number];
}

export interface Fetcher {
  readonly missing: ErrorName;
  /** Begins the message when nothing is found: `item has the id`. */
  readonly what: string;
  /** Declares the rows that `find` will read. */
  prefetch(key: string, scope: FetchScope, prefetch: Prefetch): void;
  /** The entity as plain data, or undefined. Its rows are shared: do not change them. */
  find(context: HelperContext, key: string, scope: FetchScope): Loaded<object | undefined>;
}

/** Calls a fetch helper. Rejects a wrong call with `TemplateError`, and a missing entity with the fetcher's error. */
export async function fetchEntity(
  name: string,
  fetcher: Fetcher,
  context: HelperContext,
  call: Omit<WrittenCall, "name">,
): Promise<object> {
  const misuse = misuseOf({ name, ...call });
  if (misuse !== undefined) reject("TemplateError", `"${name}" ${misuse}.`);
  const key = keyOf(name, call.arguments[0]);
  const scope = fetchScope(name, context.tenant, call.arguments);
  const entity = await fetcher.find(context, key, scope);
  if (entity !== undefined) return entity;
  const published = scope.version === "published" ? ` and is published in "${scope.language}"` : "";
  return reject(fetcher.missing, `${name}: no ${fetcher.what} ${quoted(key)}${published}.`);
}

/** Declares the rows that a call with literal arguments will read; nothing for any other call. */
export function prefetchEntity(
  fetcher: Fetcher,
  tenant: Tenant,
  [key, language, version]: readonly unknown[],
  prefetch: Prefetch,
): void {
  if (typeof key !== "string" && typeof key !== "number") return;
  const scope = {
    language: typeof language === "string" ? language : defaultLanguage(tenant),
    version: version === "published" ? version : "draft",
  } as const;
  fetcher.prefetch(String(key), scope, prefetch);
}

function keyOf(name: string, key: unknown): string {
  if (typeof key === "number" || (typeof key === "string" && key !== "")) return String(key);
  return reject(
    "TemplateError",
    `"${name}" finds nothing by ${describe(key)}; its first argument is a text.`,
  );
}

function fetchScope(name: string, tenant: Tenant, [, language, version]: readonly unknown[]): FetchScope {
  const codes = tenant.settings.languages.map(({ code }) => code);
  const asked = language ?? defaultLanguage(tenant);
  if (typeof asked !== "string" || !codes.includes(asked)) {
    const isCode = typeof asked === "string";
    const code = isCode ? quoted(asked) : describe(asked);
    const others = isCode ? alternatives(asked, codes) : `it has ${list(codes)}`;
    reject("SettingNotFoundError", `${name}: the tenant has no language ${code}; ${others}`);
  }
  return { language: asked, version: version === "published" ? version : "draft" };
}

export const defaultLanguage = ({ settings }: Tenant) => settings.languages[0]?.code ?? "";
