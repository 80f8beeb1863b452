import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { type Context, confirm, json } from "../../../context.ts";
import { CliError } from "../../../exit.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../../options.ts";
import { type KindName, kindNames, kindOf, type SettingOption } from "../../../service/setting-kinds.ts";
import { addSetting } from "../../../service/setting-requests.ts";
import { tenantEndpoint } from "../../../service/tenant-endpoint.ts";

interface Flags extends TokenFlags, Partial<Record<"name" | "currency", string>> {
  percent?: number;
  minimum?: number;
  unlimited?: boolean;
  default?: boolean;
}

const details = `The key names the setting in operations: the code of a language, the id of a VAT type (default: a new
one), the identifier of the others. It never changes. A VAT type needs --percent, a price variant --currency.`;

/** `lading tenant settings add <tenant> <kind> [key]`: one more language, VAT type, price variant … */
export function command(context: Context): Command {
  const add = new Command("add")
    .description("Adds a setting that operations can refer to.")
    .argument("<tenant>", "the tenant's identifier")
    .addArgument(new Argument("<kind>", "the kind of setting").choices(kindNames))
    .argument("[key]", "its name in operations")
    .option("--name <name>", "its display name (default: the key)")
    .option("--currency <code>", "of a price variant, such as EUR")
    .addOption(numberOption("--percent <number>", "of a VAT type"))
    .addOption(numberOption("--minimum <number>", "of a stock location: the minimum stock"))
    .option("--unlimited", "of a stock location: any stock, also below the minimum")
    .option("--default", "make it the default of its kind")
    .action((tenant: string, kind: KindName, key: string | undefined, flags: Flags) =>
      addToTenant(context, { tenant, kind, key, flags }),
    );
  return withExamples(
    withDetails(withToken(add), details),
    'lading tenant settings add acme language no-nb --name "Norwegian"',
    "lading tenant settings add acme vat-type --name Standard --percent 25 --default",
    "lading tenant settings add acme price-variant b2b --name Business --currency USD",
    "lading tenant settings add acme stock-location presale --minimum -100",
    "lading tenant settings add acme market europe --name Europe",
  );
}

const numberOption = (flags: string, meaning: string) =>
  new Option(flags, meaning).argParser((text) => {
    if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
    throw new InvalidArgumentError(`"${text}" is not a number.`);
  });

interface Wanted {
  tenant: string;
  kind: KindName;
  key: string | undefined;
  flags: Flags;
}

async function addToTenant(context: Context, { tenant, kind, key, flags }: Wanted): Promise<void> {
  const input = inputOf(kind, key, flags);
  const entry = await addSetting(await tenantEndpoint(context, tenant, flags), kind, input);
  if (flags.json) return json(context.stdout, entry);
  const row = kindOf(kind);
  confirm(context, `Tenant ${tenant} has the ${row.what} "${entry[row.key]}".`);
}

const options = ["currency", "percent", "minimum", "unlimited", "default"] as const satisfies SettingOption[];

/** Makes the input of the API. @throws CliError for what is missing, or does not apply to the kind */
function inputOf(kind: KindName, key: string | undefined, flags: Flags): Record<string, unknown> {
  const row = kindOf(kind);
  const name = flags.name ?? key;
  if (key === undefined && row.key !== "id")
    throw new CliError(`name the ${row.what} by its ${row.key}, after "${kind}"`);
  if (name === undefined) throw new CliError(`give the ${row.what} a --name`);
  if (row.required && flags[row.required] === undefined)
    throw new CliError(`a ${row.what} needs --${row.required}`);
  const wrong = options.find((option) => flags[option] !== undefined && !row.options.includes(option));
  if (wrong) throw new CliError(`--${wrong} does not apply to a ${row.what}`);
  const { currency, percent, minimum, unlimited } = flags;
  const stock = { ...(minimum !== undefined && { minimum }), ...(unlimited && { unlimited }) };
  return {
    name,
    ...(key !== undefined && { [row.key]: key }),
    ...(currency !== undefined && { currency }),
    ...(percent !== undefined && { percent }),
    ...(Object.keys(stock).length > 0 && { settings: stock }),
    ...(flags.default && { isDefault: true }),
  };
}
