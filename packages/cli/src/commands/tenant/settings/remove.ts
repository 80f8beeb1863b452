import { Argument, Command } from "commander";
import { type Context, confirm, json } from "../../../context.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../../options.ts";
import { type KindName, kindNames, kindOf } from "../../../service/setting-kinds.ts";
import { removeSetting } from "../../../service/setting-requests.ts";
import { tenantEndpoint } from "../../../service/tenant-endpoint.ts";

/** `lading tenant settings remove <tenant> <kind> <key>`: a setting that nothing refers to. */
export function command(context: Context): Command {
  const remove = new Command("remove")
    .description("Removes a setting of a tenant, unless stored data refers to it.")
    .argument("<tenant>", "the tenant's identifier")
    .addArgument(new Argument("<kind>", "the kind of setting").choices(kindNames))
    .argument("<key>", "its name in operations, as `lading tenant settings show` prints it")
    .action((tenant: string, kind: KindName, key: string, flags: TokenFlags) =>
      removeFromTenant(context, { tenant, kind, key, flags }),
    );
  return withExamples(
    withDetails(
      withToken(remove),
      "The last language, VAT type, price variant and stock location of a tenant stay: SettingInUseError.",
    ),
    "lading tenant settings remove acme price-variant b2b",
  );
}

interface Unwanted {
  tenant: string;
  kind: KindName;
  key: string;
  flags: TokenFlags;
}

async function removeFromTenant(context: Context, { tenant, kind, key, flags }: Unwanted): Promise<void> {
  await removeSetting(await tenantEndpoint(context, tenant, flags), kind, key);
  const { list, what } = kindOf(kind);
  if (flags.json) return json(context.stdout, { removed: { list, key } });
  confirm(context, `The ${what} "${key}" is removed.`);
}
