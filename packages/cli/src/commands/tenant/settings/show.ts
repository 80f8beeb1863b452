import { isObject } from "@lading/schema/internal/is-object";
import { Argument, Command } from "commander";
import { type Context, json, line, paint, plain, table } from "../../../context.ts";
import { type TokenFlags, withExamples, withToken } from "../../../options.ts";
import { type KindName, kindNames, kindOf } from "../../../service/setting-kinds.ts";
import { readSettings, type SettingEntry } from "../../../service/setting-requests.ts";
import { tenantEndpoint } from "../../../service/tenant-endpoint.ts";

/** `lading tenant settings show <tenant> [kind]`: what operations may refer to but never create. */
export function command(context: Context): Command {
  const show = new Command("show")
    .description(
      "Shows the settings of a tenant that operations refer to; the first of a kind is its default.",
    )
    .argument("<tenant>", "the tenant's identifier")
    .addArgument(new Argument("[kind]", "only settings of this kind").choices(kindNames))
    .action((tenant: string, kind: KindName | undefined, flags: TokenFlags) =>
      showSettings(context, tenant, kind, flags),
    );
  return withExamples(
    withToken(show),
    "lading tenant settings show acme",
    "lading tenant settings show acme vat-type --json",
  );
}

async function showSettings(
  context: Context,
  tenant: string,
  only: KindName | undefined,
  flags: TokenFlags,
): Promise<void> {
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const names = only === undefined ? kindNames : [only];
  const lists = await readSettings(endpoint, names);
  const { stdout } = context;
  if (flags.json) return json(stdout, lists);
  for (const [index, { title, list, key }] of names.map(kindOf).entries()) {
    if (index > 0) line(stdout);
    line(stdout, paint(stdout, "bold", title));
    const entries = lists[list] ?? [];
    if (entries.length === 0) line(stdout, "none");
    else table(stdout, [...headOf(entries[0]!, key), ...entries.map(cellsOf)]);
  }
}

/** The names of an entry's columns, its key first; `isDefault` has none, as only the default shows a word. */
const headOf = (entry: SettingEntry, key: string): string[][] => [
  [key, ...Object.keys(entry).filter((name) => name !== key && name !== "isDefault")],
];

function cellsOf({ isDefault, ...entry }: SettingEntry): string[] {
  const cells = Object.values(entry).map((value) =>
    plain(isObject(value) ? stockText(value) : String(value)),
  );
  return isDefault === true ? [...cells, "default"] : cells;
}

const stockText = ({ minimum, unlimited }: Record<string, unknown>): string =>
  unlimited === true ? "unlimited" : `minimum ${minimum}`;
