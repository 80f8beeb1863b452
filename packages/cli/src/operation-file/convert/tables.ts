import { didYouMean, quoted } from "@lading/schema/internal";
import { type CompiledMap, type DataIssues, rowsOf, type TableOptions } from "@lading/transform";
import { formatOf } from "@lading/transform/internal/choices";
import type { Context } from "../../context.ts";
import { CliError } from "../../exit.ts";
import { dataOf } from "./data.ts";

/** The files of `--table NAME=FILE`, by name. */
export function tableFiles(flags: readonly string[], { tables }: CompiledMap): Map<string, string> {
  const files = new Map<string, string>();
  for (const flag of flags) {
    const [name = "", ...rest] = flag.split("=");
    const file = rest.join("=");
    if (name === "" || file === "") throw new CliError(`--table ${flag}: expected NAME=FILE`);
    if (!tables.has(name)) {
      const near = didYouMean(name, [...tables.keys()]);
      throw new CliError(`the map has no table ${quoted(name)}${near === undefined ? "" : `; ${near}`}`);
    }
    if (files.has(name)) throw new CliError(`--table ${name} is given twice`);
    files.set(name, file);
  }
  for (const name of tables.keys())
    if (!files.has(name))
      throw new CliError(`the map reads the table ${quoted(name)}: add --table ${name}=FILE`);
  return files;
}

/**
 * Reads a further table of the map into memory.
 * @throws InvalidData when it has errors, UnknownColumns when it lacks columns
 */
export async function readTable(
  context: Context,
  { tables }: CompiledMap,
  name: string,
  file: string,
  { encoding, issues }: Pick<TableOptions, "encoding"> & { issues: DataIssues },
): Promise<void> {
  const table = tables.get(name);
  const options = { encoding, format: formatOf(file) };
  await table?.read(rowsOf(dataOf(context, file), table.columns, issues, options), issues);
}
